import { useRef, useState } from 'preact/hooks';
import type { Order } from '../../contract/server.ts';
import { give, RequestError } from '../api/request.ts';
import { announce } from './announce.ts';
import { useServer } from './use-server.ts';

/** What an order does, asked before those that throw work away. */
const CONFIRMATIONS: Readonly<Partial<Record<Order, string>>> = {
  cancel: 'The step at work is finished and kept, then it stops for good.',
  kill: 'It stops at once: what the step at work has done so far is lost.',
};

interface OrdersProps {
  /** `/experiments/ID` or `/runs/ID`. */
  readonly path: string;
  /** What is ordered about, as in "run pool seed 3". */
  readonly what: string;
  readonly orders: readonly Order[];
  /** Where events alone do not tell what came of it. */
  readonly onDone?: () => void;
}

/** Buttons for orders, where the server takes any. */
export function Orders({ path, what, orders, onDone }: OrdersProps) {
  const server = useServer();
  const [message, setMessage] = useState('');
  const [asked, setAsked] = useState<Order | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  if (server?.allows_control !== true || orders.length === 0) return null;
  const tell = (text: string) => {
    setMessage(text);
    announce(text);
  };
  const send = (order: Order) =>
    void give(path, order)
      .then(({ message: text }) => tell(text))
      .catch((error: unknown) =>
        tell(error instanceof RequestError ? `${error.message} ${error.remedy}` : String(error)),
      )
      .then(() => onDone?.());
  const press = (order: Order) => {
    if (CONFIRMATIONS[order] === undefined) return send(order);
    setAsked(order);
    dialog.current?.showModal();
  };
  const close = (event: { readonly currentTarget: HTMLDialogElement }) => {
    if (asked !== null && event.currentTarget.returnValue === 'yes') send(asked);
    event.currentTarget.returnValue = '';
  };
  return (
    <div class="orders">
      {orders.map((order) => (
        <button key={order} type="button" onClick={() => press(order)}>
          {ORDER_TEXTS[order]}
        </button>
      ))}
      <span class="order-message">{message}</span>
      <dialog ref={dialog} onClose={close} aria-labelledby="order-question">
        <form method="dialog">
          <h2 id="order-question">
            {asked !== null && ORDER_TEXTS[asked]} {what}?
          </h2>
          <p>{asked !== null && CONFIRMATIONS[asked]}</p>
          <div class="dialog-buttons">
            <button value="no">No, leave it</button>
            <button value="yes" class="danger">
              Yes, {asked} it
            </button>
          </div>
        </form>
      </dialog>
    </div>
  );
}

const ORDER_TEXTS: Readonly<Record<Order, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  kill: 'Kill',
  retry: 'Retry failed',
};
