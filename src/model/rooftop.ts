import type { Fee } from './vehicle.ts';

interface NamedValue {
  name?: string;
  value: string;
}

export interface PostalAddress {
  country?: string;
  state?: string;
  city?: string;
  address_line_1?: string;
  address_line_2?: string;
  zip?: string;
}

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** Opening hours in the rooftop's own time, `HH:MM`; null = closed. */
type WeeklyHours = Partial<Record<Weekday, { open: string; close: string } | null>>;

/** What dealer.information tells of a rooftop (aap-v1.3 section 5). */
export interface RooftopProfile {
  name: string;
  legal_name?: string;
  website?: string;
  geo?: { latitude: number; longitude: number };
  emails?: NamedValue[];
  /** E.164. */
  phones?: NamedValue[];
  address?: PostalAddress;
  schedules?: { name?: string; value: WeeklyHours }[];
  /** IANA name. */
  timezone?: string;
  notes?: string;
  fees?: Fee[];
  capabilities?: string[];
}

/** One dealership location: its public profile and the ids by which feeds name it. */
export interface Rooftop {
  /** Stable id inside the bridge and the `dealer_id` of its listings, such as `HPM01`. */
  id: string;
  /** Other ids by which feeds name this rooftop; `id` always counts as one. Compared without case and blanks. */
  feed_ids: string[];
  profile: RooftopProfile;
}
