/** The made-up company of `pml demo`: the same customers and invoices every time. */
export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly contact: string;
  readonly email: string;
  readonly city: string;
}

export interface Invoice {
  readonly number: string;
  readonly customerId: string;
  readonly amount: number;
  readonly currency: string;
  readonly issued: string;
  readonly status: 'paid' | 'open' | 'overdue';
}

const NAMES = ['Acme', 'Borealis', 'Cobalt', 'Dune', 'Elm', 'Fjord', 'Granite', 'Harbor'];
const KINDS = ['Foods', 'Logistics', 'Labs'];
const CITIES = ['Bern', 'Lyon', 'Oslo', 'Porto', 'Riga'];
const PEOPLE = ['Anna Berg', 'Ben Costa', 'Chloe Dahl', 'David Engel', 'Eva Fontaine', 'Finn Gray'];
const STATUSES: readonly Invoice['status'][] = ['paid', 'paid', 'open', 'overdue', 'paid'];
const INVOICES = 180;

const pick = <Item>(list: readonly Item[], place: number): Item =>
  list[place % list.length] as Item; // The lists above are not empty.

export const CUSTOMERS: readonly Customer[] = NAMES.flatMap((first, row) =>
  KINDS.map((kind, column) => {
    const place = row * KINDS.length + column;
    const contact = pick(PEOPLE, place * 5);
    const mailbox = contact.toLowerCase().replace(' ', '.');
    return {
      id: `C-${100 + place}`,
      name: `${first} ${kind}`,
      contact,
      email: `${mailbox}@${first.toLowerCase()}-${kind.toLowerCase()}.example`,
      city: pick(CITIES, place * 3),
    };
  }),
);

export const SAMPLE_INVOICES: readonly Invoice[] = Array.from({ length: INVOICES }, (_, place) => ({
  number: `INV-${2_000 + place}`,
  customerId: pick(CUSTOMERS, place * 7).id,
  amount: 120 + ((place * 379) % 1_900),
  currency: 'EUR',
  issued: `2026-${String(1 + (place % 9)).padStart(2, '0')}-${String(1 + ((place * 11) % 28)).padStart(2, '0')}`,
  status: pick(STATUSES, place * 3 + Math.floor(place / 5)),
}));
