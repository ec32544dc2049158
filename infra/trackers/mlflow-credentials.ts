import type { Configuration } from '../configuration.ts';

type Credentials = Pick<Configuration, 'mlflowUrl' | 'mlflowToken' | 'mlflowUsername' | 'mlflowPassword'>;

/**
 * The header `Authorization` for a server of MLflow. A spec, which may be somebody else's, names the server: so the credentials of this
 * installation go to the one that the installation names, and to no other.
 * @returns what to send to a URL; null for nothing
 */
export function mlflowAuthorization({
  mlflowUrl,
  mlflowToken,
  mlflowUsername,
  mlflowPassword,
}: Credentials): (url: string) => string | null {
  const header =
    mlflowToken !== null
      ? `Bearer ${mlflowToken}`
      : mlflowUsername !== null || mlflowPassword !== null
        ? `Basic ${Buffer.from(`${mlflowUsername ?? ''}:${mlflowPassword ?? ''}`).toString('base64')}`
        : null;
  return (url) => (mlflowUrl !== null && withoutSlash(url) === withoutSlash(mlflowUrl) ? header : null);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
