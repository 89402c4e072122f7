/** What somebody wants done, and the tools that do it. */
export interface Task {
  readonly query: string;
  readonly gold: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The host's side: lists and calls, as a host makes them for its model. */
export interface AgentHost {
  list(): Promise<readonly Fields[]>;
  call(name: string, args: Fields): Promise<Fields>;
}

export interface TaskOutcome {
  readonly task: Task;
  readonly isDone: boolean;
  /** Times the model was asked, each of which sends the list. */
  readonly turns: number;
  readonly searches: number;
  /** Calls that were answered with what was wrong with them. */
  readonly corrections: number;
  /** The list with every turn, and what the gateway itself answered. */
  readonly tokens: number;
}

export interface LoopDeps {
  readonly host: AgentHost;
  readonly count: (text: string) => number;
  /** Calls before it has read the schema, so that it has to be told. */
  readonly isHasty?: boolean;
}

interface Found {
  readonly name: string;
  readonly also?: readonly string[];
  readonly inputSchema?: Fields;
}

const MAX_TURNS = 6;

/**
 * A stand-in for a model: it searches in the words of the task, takes a tool that does it if the answer shows one,
 * calls it with what the schema asks for, and corrects itself from what it is told. It is never told where a tool is.
 */
export async function runTask(task: Task, { host, count, isHasty = false }: LoopDeps): Promise<TaskOutcome> {
  const listTokens = count(JSON.stringify((await host.list()).map(handed)));
  const spent = { turns: 0, searches: 0, corrections: 0, tokens: 0 };
  const asked = async (name: string, args: Fields): Promise<Fields> => {
    spent.turns++;
    spent.tokens += listTokens;
    return host.call(name, args);
  };
  const outcome = (isDone: boolean): TaskOutcome => ({ task, isDone, ...spent });

  const search = async (args: Fields): Promise<Found | undefined> => {
    spent.searches++;
    const answer = await asked('search_tools', args);
    spent.tokens += count(textOf(answer));
    const { tools = [] } = (answer['structuredContent'] ?? {}) as { readonly tools?: readonly Found[] };
    const found = tools.find(({ name, also = [] }) => [name, ...also].some((one) => task.gold.includes(one)));
    return found === undefined
      ? undefined
      : {
          ...found,
          name: [found.name, ...(found.also ?? [])].find((one) => task.gold.includes(one)) ?? found.name,
        };
  };
  const found =
    (await search({ query: task.query })) ??
    (await search({ query: task.query, limit: 50, detail: 'names' }));
  if (found === undefined) return outcome(false);
  let schema = isHasty ? undefined : found.inputSchema;
  while (spent.turns < MAX_TURNS) {
    const answer = await asked('call_tool', {
      name: found.name,
      arguments: schema === undefined ? {} : filled(schema),
    });
    if (answer['isError'] !== true) return outcome(true);
    spent.corrections++;
    spent.tokens += count(textOf(answer));
    schema = schemaIn(textOf(answer)) ?? schema;
  }
  return outcome(false);
}

const handed = ({ name, description, inputSchema }: Fields): Fields => ({ name, description, inputSchema });

const textOf = (answer: Fields): string =>
  ((answer['content'] ?? []) as readonly { readonly text?: string }[])
    .map(({ text = '' }) => text)
    .join('\n');

function schemaIn(text: string): Fields | undefined {
  const json = /^inputSchema[a-z ]*: (\{.*\})$/m.exec(text)?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as Fields);
}

/** Something for everything that a schema asks for. */
function filled(schema: Fields, depth = 0): Fields {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Fields>>;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(required.map((name) => [name, valueFor(properties[name] ?? {}, depth)]));
}

function valueFor(schema: Fields, depth: number): unknown {
  if ('const' in schema) return schema['const'];
  const values = schema['enum'];
  if (Array.isArray(values)) return values[0];
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return valueFor(alternatives[0] as Fields, depth + 1);
  const [type] = [schema['type']].flat();
  if (type === 'object') return depth > 8 ? {} : filled(schema, depth + 1);
  const plain: Readonly<Record<string, unknown>> = {
    array: [],
    number: 1,
    integer: 1,
    boolean: true,
    null: null,
  };
  return typeof type === 'string' && type in plain ? plain[type] : 'text';
}
