import { importFields } from '@inventory-manager/contract/imports/rules'
import { getLocation } from '@inventory-manager/contract/locations'
import { expect, it } from 'vitest'
import { fieldsByPlace, guessFields, guessHeading } from './guess-fields.ts'

it.each([
  [
    ['SKU', 'Description', 'Quantity'],
    ['barcode', 'description', 'secondary_quantity'],
  ],
  [
    ['Name', 'EAN', 'Total', 'Primary Warehouse', 'fulfilment qty'],
    ['description', 'barcode', null, 'primary_quantity', 'fulfillment_quantity'],
  ],
  [
    ['Item no.', 'Product', 'Colour', 'Qty', 'Stock'],
    ['barcode', null, null, 'secondary_quantity', null],
  ],
  [
    ['Code', 'Description', 'Barcode type', 'Qty'],
    ['barcode', 'description', null, 'secondary_quantity'],
  ],
  [
    ['Item No.', 'UPC case qty', 'Has barcode', 'Variant SKU'],
    [null, null, null, 'barcode'],
  ],
  [
    ['Barcode', 'Quarantine', 'Last counted at'],
    ['barcode', 'quarantine_quantity', null],
  ],
  [
    ['Other barcodes', 'Barcode', 'Quarantine', 'Last counted at', 'Other barcodes'],
    ['other_barcodes', 'barcode', 'quarantine_quantity', null, 'other_barcodes'],
  ],
  // The number of the company is the barcode, and what is printed on goods another one.
  [
    ['Item no.', 'EAN', 'Description', 'Stock'],
    ['barcode', 'other_barcodes', 'description', 'secondary_quantity'],
  ],
  [
    ['EAN', 'Artikelnummer', 'UPC', 'Bezeichnung'],
    ['other_barcodes', 'barcode', 'other_barcodes', 'description'],
  ],
  [
    ['Barcode', 'SKU', 'Qty'],
    ['other_barcodes', 'barcode', 'secondary_quantity'],
  ],
  [
    ['SKU', 'Barcode', 'Barcode type', 'Case EAN', 'Supplier SKU'],
    ['barcode', 'other_barcodes', null, null, null],
  ],
  [
    ['EAN', 'UPC', 'Qty'],
    ['barcode', 'other_barcodes', 'secondary_quantity'],
  ],
  [
    ['EAN', 'Supplier SKU', 'ID', 'Item name'],
    ['other_barcodes', null, 'barcode', 'description'],
  ],
  [
    ['Internal Reference', 'Name', 'Barcode'],
    ['barcode', 'description', 'other_barcodes'],
  ],
  [
    ['Additional barcodes', 'ID', 'EAN'],
    ['other_barcodes', 'barcode', 'other_barcodes'],
  ],
  [
    ['Art.-Nr.', 'Bezeichnung', 'EAN', 'Bestand', 'Lieferanten-Art.-Nr.'],
    ['barcode', 'description', 'other_barcodes', 'secondary_quantity', null],
  ],
  // A number of the company comes before what may be that of a row.
  [
    ['ID', 'Art.-Nr.', 'Bezeichnung', 'Stückzahl'],
    [null, 'barcode', 'description', 'secondary_quantity'],
  ],
  [
    ['ID', 'SKU', 'Description'],
    [null, 'barcode', 'description'],
  ],
  [
    ['Codice articolo', 'Descrizione', 'Codice a barre', 'Giacenza', 'Scorta minima'],
    ['barcode', 'description', 'other_barcodes', 'secondary_quantity', 'secondary_minimum'],
  ],
  [
    ['Artikelnummer', 'Omschrijving', 'Streepjescode', 'Voorraad', 'Gereserveerd'],
    ['barcode', 'description', 'other_barcodes', 'secondary_quantity', null],
  ],
  [
    ['Código', 'Descrição', 'EAN', 'Preço', 'Estoque'],
    ['barcode', 'description', 'other_barcodes', null, 'secondary_quantity'],
  ],
  [
    ['Symbol', 'Nazwa', 'Kod kreskowy', 'Stan', 'Stan minimalny'],
    ['barcode', 'description', 'other_barcodes', 'secondary_quantity', 'secondary_minimum'],
  ],
  [
    ['Art.-Nr.', 'Stock réservé', 'Valeur du stock', 'Stock actuel'],
    ['barcode', null, null, 'secondary_quantity'],
  ],
  [
    ['SKU', 'Brand name', 'Qty on order', 'Description', 'Qty on hand'],
    ['barcode', null, null, 'description', 'secondary_quantity'],
  ],
  [
    ['SKU', 'Supplier name', 'Part name', 'Warehouse name'],
    ['barcode', null, 'description', null],
  ],
  [
    ['Barcode', 'Full name'],
    ['barcode', 'description'],
  ],
  [
    ['Artikel-Nr.', 'Bezeichnung', 'Bestand'],
    ['barcode', 'description', 'secondary_quantity'],
  ],
  [
    ['Référence', 'Désignation', 'Quantité'],
    ['barcode', 'description', 'secondary_quantity'],
  ],
  [
    ['Código', 'Descripción', 'Cantidad'],
    ['barcode', 'description', 'secondary_quantity'],
  ],
  [
    ['Stock code', 'Remaining', 'Reserved', 'Stock value', 'Stock'],
    ['barcode', null, null, null, 'secondary_quantity'],
  ],
  [
    ['Primary barcode', 'SKU description', 'Primary stock'],
    ['barcode', 'description', 'primary_quantity'],
  ],
  [
    ['ID', 'Type', 'SKU', 'Name', 'Short description', 'In stock?', 'Stock'],
    [null, null, 'barcode', 'description', null, null, 'secondary_quantity'],
  ],
  [
    ['Product', 'Description', 'Barcode', 'Qty'],
    [null, 'description', 'barcode', 'secondary_quantity'],
  ],
  [
    ['Artikel', 'Bezeichnung', 'EAN', 'Bestand'],
    [null, 'description', 'barcode', 'secondary_quantity'],
  ],
  [
    ['Article', 'Libellé', 'Code-barres', 'Stock', 'Secondary Warehouse'],
    [null, 'description', 'barcode', null, 'secondary_quantity'],
  ],
  [
    ['SKU', 'Reserve level', 'Main supplier', 'Stock location', 'Qty'],
    ['barcode', null, null, null, 'secondary_quantity'],
  ],
  [
    ['Item', 'Primary bin', 'Stock status', 'Available from', 'Available'],
    ['barcode', 'primary_bin', null, null, 'secondary_quantity'],
  ],
  [
    ['SKU', 'stock_location', 'primary_bin', 'qty'],
    ['barcode', null, 'primary_bin', 'secondary_quantity'],
  ],
  [
    ['SKU', 'Quantity per location', 'Primary Location', 'Fulfillment Location', 'Reorder qty'],
    ['barcode', 'secondary_quantity', 'primary_quantity', 'fulfillment_quantity', null],
  ],
  [
    ['SKU', 'Primary location qty', 'Reserve', 'Stock level'],
    ['barcode', 'primary_quantity', 'secondary_quantity', null],
  ],
  [
    ['SKU', 'Qty', 'Bin', 'Min stock'],
    ['barcode', 'secondary_quantity', 'secondary_bin', 'secondary_minimum'],
  ],
  [
    ['SKU', 'primary_bin', 'primary_minimum', 'Bin at Fulfillment Center', 'Minimum at Distribution Center'],
    ['barcode', 'primary_bin', 'primary_minimum', 'fulfillment_bin', 'distribution_minimum'],
  ],
  [
    ['SKU', 'Aisle', 'Shelf', 'Bin no.', 'Safety stock', 'Reorder point', 'Minimum'],
    ['barcode', null, null, 'secondary_bin', null, null, 'secondary_minimum'],
  ],
  [
    ['SKU', 'Location code', 'Reorder point', 'Reorder qty'],
    ['barcode', 'secondary_bin', 'secondary_minimum', null],
  ],
  [
    ['SKU', 'Shelf life', 'Bin qty', 'Bin type', 'Min order qty', 'Min price', 'Location', 'Rack'],
    ['barcode', null, null, null, null, null, null, 'secondary_bin'],
  ],
  [
    ['Artikel', 'Bestand', 'Regal', 'Lagerplatz', 'Meldebestand'],
    ['barcode', 'secondary_quantity', null, 'secondary_bin', 'secondary_minimum'],
  ],
  [
    ['Référence', 'Emplacement', 'Stock mini', 'Qté'],
    ['barcode', 'secondary_bin', 'secondary_minimum', 'secondary_quantity'],
  ],
  [
    ['Código', 'Ubicación', 'Existencias mínimas', 'Existencias'],
    ['barcode', 'secondary_bin', 'secondary_minimum', 'secondary_quantity'],
  ],
  [
    ['SKU', 'Qty', 'Unit cost', 'Unit price', 'Stock value'],
    ['barcode', 'secondary_quantity', 'unit_cost', null, null],
  ],
  [
    ['SKU', 'Price', 'Cost', 'Total cost', 'Selling price'],
    ['barcode', null, 'unit_cost', null, null],
  ],
  [
    ['Artikel', 'Preis', 'EK-Preis (netto)', 'VK', 'Kostenstelle'],
    ['barcode', null, 'unit_cost', null, null],
  ],
  [
    ['Référence', 'Prix', 'Prix d’achat HT', 'Prix de vente', 'Valeur'],
    ['barcode', null, 'unit_cost', null, null],
  ],
  [
    ['Código', 'Precio', 'Precio de compra', 'Precio de venta', 'Valor'],
    ['barcode', null, 'unit_cost', null, null],
  ],
  // One that names it comes before one that may be another.
  [
    ['SKU', 'Average cost', 'Cost', 'Purchase price', 'Qty'],
    ['barcode', null, null, 'unit_cost', 'secondary_quantity'],
  ],
])('the heads %j mean %j', (heads, fields) => {
  expect(guessFields(heads, { here: getLocation('SECONDARY'), offered: importFields, ownNames: {} })).toEqual(
    fields,
  )
})

it.each([
  'Art.-Nr.',
  'Art.Nr.',
  'ArtNr',
  'Art-Nr',
  'Art. No.',
  'Artikel-Nr.',
  'Artikelcode',
  'Bestell-Nr.',
  'Bestellnummer',
  'N° article',
  "Code d'article",
  'Réf.',
  'Référence',
  'Référence article',
  'Nº artículo',
  'Código de artículo',
  'Referencia',
  'Referência',
  'Cod. art.',
  'Nr artykułu',
  'Item #',
  'Part #',
  'Part no.',
  'P/N',
  'ID',
])('%s is the barcode, also beside an EAN', (head) => {
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames: {} }
  expect(guessFields(['EAN', head], guessing)).toEqual(['other_barcodes', 'barcode'])
  expect(guessHeading([head, 'Name'], guessing)).toEqual(['barcode', 'description'])
})

it.each([
  'Article group',
  'No stock',
  'No. of parts',
  'Order no.',
  'Invoice no.',
  'Supplier part no.',
  'Réf. fournisseur',
  'Customer ref.',
])('%s beside an EAN is not the barcode', (head) => {
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames: {} }
  expect(guessFields(['EAN', head], guessing)).toEqual(['barcode', null])
})

it.each([
  'Stückzahl',
  'Lagermenge',
  'Lagerbestand',
  'Aktueller Bestand',
  'Ist-Bestand',
  'Verfügbarer Bestand',
  'Current stock',
  'Actual quantity',
  'In stock',
  'QOH',
  'Pcs',
  'En stock',
  'Stock réel',
  'Stock actual',
  'Disponible',
  'Quantità',
  'Aantal',
  'Op voorraad',
  'Quantidade',
  'Ilość',
  'Stan magazynowy',
])('%s is how much there is', (head) => {
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames: {} }
  expect(guessFields(['SKU', head], guessing)).toEqual(['barcode', 'primary_quantity'])
})

it.each([
  'In stock?',
  'Stock mínimo 2',
  'Bestandswert',
  'Standort',
  'Standard',
  'Anzahl min.',
  'Stan techniczny',
  'Bestandskonto',
])('%s is not how much there is', (head) => {
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames: {} }
  expect(guessFields(['SKU', head], guessing)).toEqual(['barcode', null])
})

it.each([
  'unit_cost',
  'Unit cost (EUR)',
  'Unit cost (PLN)',
  'Unit cost [jpy]',
  'unitCost',
  'Cost price',
  'Cost per unit',
  'Cost per item',
  'Cost/unit',
  'Cost each',
  'Cost €',
  'Landed cost',
  'Std. cost',
  'Avg cost',
  'Purchase price',
  'Buying price',
  'EK',
  'EK netto',
  'Einkaufspreis',
  'Einstandspreis',
  'Stückkosten',
  'Letzter EK',
  "Prix d'achat",
  'Coût unitaire',
  'Cout unitaire HT',
  'Prix de revient',
  'PMP',
  'PUMP',
  'Coste unitario',
  'Costo unitario',
  'Precio de coste',
  'Coste',
  'Costo promedio',
])('%s is what one piece costs', (head) => {
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames: {} }
  expect(guessFields(['SKU', head], guessing)).toEqual(['barcode', 'unit_cost'])
})

it.each([
  'Price',
  'Unit price',
  'Sales price',
  'Selling price',
  'List price',
  'Retail price',
  'Total cost',
  'Cost total',
  'Stock value',
  'Value',
  'Cost center',
  'Cost of goods sold',
  'Shipping cost',
  'Last cost date',
  'Currency of cost',
  'Preis',
  'VK-Preis',
  'Verkaufspreis',
  'Gesamtkosten',
  'Warenwert',
  'Prix',
  'Prix de vente',
  'Coût total',
  'Precio',
  'Precio de venta',
  'Coste total',
  'Valor',
])('%s is not taken for what one piece costs', (head) => {
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames: {} }
  expect(guessFields(['SKU', head], guessing)).toEqual(['barcode', null])
})

it.each([
  [['SKU-1001', 'Hex bolt M8', '250'], false],
  [['PART-0001'], false],
  [['ID 7', 'Main shaft', '12'], false],
  [['A-1', 'Bolt', '5'], false],
  [['SKU-1002', 'Main shaft'], false],
  [['SKU-SPARE', 'Shelf', '5'], false],
  [['SKU-SPARE', 'Main shaft', '5'], false],
  [['SKU', 'Name', '2025', '2026'], true],
  [['SKU', 'Name', 'Qty', '30', '60', '90'], true],
  [['SKU'], true],
  [['Art.-Nr.', 'Bezeichnung'], true],
  [['ART-12', 'Schraube'], false],
  [['Ref 7', 'Vis', '12'], false],
  [['EAN-13', 'Regal'], true],
  [['Barcode 1', 'Description', 'Qty 2026'], true],
])('%j is a heading: %s', (cells, isHeading) => {
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames: {} }
  expect(guessHeading(cells, guessing) !== null).toBe(isHeading)
})

it('a file without heads is read as labels are typed', () => {
  expect(fieldsByPlace(2, getLocation('PRIMARY'))).toEqual(['barcode', 'primary_quantity'])
  expect(fieldsByPlace(4, getLocation('PRIMARY'))).toEqual([
    'barcode',
    'description',
    'primary_quantity',
    null,
  ])
})

it('heads that name a location as the company does mean that location, also where they would mean another one', () => {
  const ownNames = { PRIMARY: 'Hamburg', SECONDARY: 'Main shop', FULFILLMENT: 'Primary Warehouse' }
  const guessing = { here: getLocation('PRIMARY'), offered: importFields, ownNames }
  const heads = ['Barcode', 'Hamburg', 'MAIN SHOP', 'Primary Warehouse', 'Quarantine', 'Total']
  expect(guessFields(heads, guessing)).toEqual([
    'barcode',
    'primary_quantity',
    'secondary_quantity',
    'fulfillment_quantity',
    'quarantine_quantity',
    null,
  ])
  const placements = ['SKU', 'Hamburg bin', 'Minimum at Main shop', 'Distribution Center bin']
  expect(guessFields(placements, guessing)).toEqual([
    'barcode',
    'primary_bin',
    'secondary_minimum',
    'distribution_bin',
  ])
  expect(guessFields(['Barcode', 'Secondary Warehouse'], guessing)).toEqual(['barcode', 'secondary_quantity'])
})
