import React from 'react';

type Props = { title: string };

/** A heading. */
export function Heading({ title }: Props) {
  return <h1 onClick={() => track(title)}>{title}</h1>;
}

const Page: React.FC<Props> = (props) => (
  <div>
    <Heading title={props.title} />
  </div>
);

export default class App extends React.Component<Props> {
  render() { return <Page title={format(this.props.title)} />; }
}
