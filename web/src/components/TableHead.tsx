// The header row of a table.

export type HeadColumn =
  | string
  | {
      text: string;
      className?: string; // as for the cells below
      hidden?: boolean; // for screen readers only
    };

export function TableHead({ columns }: { columns: readonly (HeadColumn | false)[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, place) => column !== false && <Name key={place} column={column} />)}
      </tr>
    </thead>
  );
}

function Name({ column }: { column: HeadColumn }) {
  const {
    text,
    className,
    hidden = false,
  } = typeof column === "string" ? { text: column } : column;
  return (
    <th scope="col" className={className}>
      {hidden ? <span className="visually-hidden">{text}</span> : text}
    </th>
  );
}
