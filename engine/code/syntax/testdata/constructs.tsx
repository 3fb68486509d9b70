import { useState, type FC } from 'react';

export const Button: FC<Props> = memo(({ label }) => <button>{label}</button>);
const Ref = forwardRef<HTMLDivElement, Props>(function Ref(props, ref) { return <Inner ref={ref} {...props} />; });
export default function Page<T,>({ rows }: { rows: T[] }): JSX.Element {
  const [open, setOpen] = useState(false);
  const toggle = useCallback(() => setOpen((o) => !o), []);
  return (
    <>
      <Layout.Header title="x" onClick={toggle} />
      {rows.map((r) => <Row key={r.id} {...r} />)}
      <Trans>text</Trans>
    </>
  );
}
export const Context = createContext<State | null>(null);
function useThing(): Thing { return useContext(Context)!; }
