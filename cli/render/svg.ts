/** What XML 1.0 forbids even when escaped or warns of, control characters and lone surrogates, and what turns the writing around. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Any text as the content of an element or of a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Attributes by name, left out where undefined; numbers are rounded to a hundredth of a pixel. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with given attributes. @param children elements, or text that is escaped already */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(typeof value === 'number' ? short(value) : value)}"`],
  );
  const head = `<${name}${written.join('')}`;
  return children.length === 0 ? `${head}/>` : `${head}>${children.join('')}</${name}>`;
}

/** A number in as few characters as a hundredth needs. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

/** Text at a place. */
export function textElement(text: string, attributes: Attributes): string {
  return element('text', attributes, escapeXml(text));
}
