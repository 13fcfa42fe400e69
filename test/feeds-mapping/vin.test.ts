import { expect, test } from 'vitest';
import {
  isPlaceholderVin,
  isVin,
  suggestVin,
  vinCheckDigitFits,
  vinModelYear,
  yearOfVin,
} from '../../src/model/vin.ts';

test('a VIN has 17 characters without I, O and Q', () => {
  expect(isVin('1HGCY2F57RA000001')).toBe(true);
  for (const text of [
    '1HGCY2F57RA00000',
    '1HGCY2F57RA0000011',
    '1hgcy2f57ra000001',
    '1HGCY2F57RAOOOOO1',
    '1HGCY2F57RA00000I',
  ]) {
    expect(isVin(text), text).toBe(false);
  }
});

test('the check digit is that of the standard, X for ten', () => {
  for (const vin of ['1M8GDM9AXKP042788', '5GZCZ43D13S812715', '11111111111111111', '1FTFW5L82TFA90101']) {
    expect(vinCheckDigitFits(vin), vin).toBe(true);
  }
  expect(vinCheckDigitFits('1M8GDM9A0KP042788')).toBe(false);
  expect(vinCheckDigitFits('4T1G11AK0LUA90109')).toBe(false);
});

test('position 10 tells the model year', () => {
  expect(vinModelYear('1FTFW5L82TFA90101', 26)).toBe(2026);
  expect(vinModelYear('1FTFW5L82TFA90101', 96)).toBe(1996);
  expect(vinModelYear('1FTFW5L82TFA90101', 25)).toBeUndefined();
});

test('tells its model year only where that leaves no doubt', () => {
  // Position 7 is a letter: of 2010 or later. Else the one year of the two that has come.
  expect(yearOfVin('1FTFW5L82TFA90101', 2027)).toBe(2026);
  expect(yearOfVin('1FTFW5L82TFA90101', 2025)).toBe(1996);
  expect(yearOfVin('5YJ3E1EB1NFA90110', 2027)).toBe(2022);
  expect(yearOfVin('1M8GDM9AXKP042788', 2027)).toBeUndefined();
  expect(yearOfVin('5GZCZ43D13S812715', 2027)).toBe(2003);
  expect(yearOfVin('5YJ3E1EB2NFA90110', 2027)).toBeUndefined();
  expect(yearOfVin('11111111111111111', 2027)).toBeUndefined();
  expect(yearOfVin('', 2027)).toBeUndefined();
});

test('a stand-in is told from a VIN', () => {
  expect(isPlaceholderVin('11111111111111111')).toBe(true);
  expect(isPlaceholderVin('12345678901234567')).toBe(true);
  for (const text of [
    ...['98765432109876543', '01234567890123456', '56789012345678901', '12345678912345678'],
    ...['ABCDEFGHJKLMNPRST', 'ABCDEFGHIJKLMNOPQ', 'ZYXWVUTSRPNMLKJHG', 'ABC12345678901234'],
    ...['11111111111111112', '00000000000000001', 'XXXXXXXX1XXXXXXXX', '1A111111111111111'],
    ...['12121212121212121', 'ABCABCABCABCABCAB', '12345123451234512'],
  ]) {
    expect(isPlaceholderVin(text), text).toBe(true);
  }
  for (const vin of [
    ...['1FTFW5L82TFA90101', '1HGCY2F57RA000001', '1A9000000Y0000001', '5YJSA1E2012345678'],
    ...['2HGFC2F59LH500001', 'WP0ZZZ99ZTS392124', '1M8GDM9AXKP042788', 'JH4TB2H26CC000000'],
  ]) {
    expect(isPlaceholderVin(vin), vin).toBe(false);
  }
});

test('a misread VIN gets a suggestion when one candidate only fits', () => {
  expect(suggestVin('5J6RT6H9XPLA9O106')).toBe('5J6RT6H9XPLA90106');
  expect(suggestVin('5J6RT6H9XPLA90106')).toBe('5J6RT6H9XPLA90106');
  expect(suggestVin('OOOOOOOOOOOOOOOOO')).toBeUndefined();
  expect(suggestVin('TOO SHORT')).toBeUndefined();
});
