/** A URL without its password, wherever Postgres accepts one: before the host or among the parameters. */
export function maskUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  for (const name of [...url.searchParams.keys()]) {
    if (/password|key/i.test(name)) url.searchParams.set(name, '***');
  }
  return url.href;
}

const URL_PASSWORD = /(\bpostgres(?:ql)?:\/\/[^\s:@/"]*):[^\s"/?#]*@/g;
const PASSWORD_PARAMETER = /([?&][\w.]*(?:password|key)[\w.]*=)[^&\s"]*/gi;

/** Any text without the passwords of the Postgres URLs in it: for what is logged or told of errors, whoever wrote them. */
export function maskSecrets(text: string): string {
  return text.replace(URL_PASSWORD, '$1:***@').replace(PASSWORD_PARAMETER, '$1***');
}
