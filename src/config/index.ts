// The configuration: one YAML or JSON file, and host configurations in it, to one frozen object.
// In: the file's text and the environment.
// Out: GatewayConfig, or a ConfigError that holds every problem with its line and key.
export { childEnvironment } from './child-environment.ts';
export {
  ConfigError,
  type ConfigNotice,
  type ConfigProblem,
  formatProblem,
  formatProblems,
} from './config-error.ts';
export {
  type AccountingConfig,
  ENDPOINT_PATH,
  type ExposureConfig,
  type FilterConfig,
  type GatewayConfig,
  type HttpTransportConfig,
  type LimitsConfig,
  type ListenConfig,
  type LogConfig,
  type LogLevelName,
  type MetaToolNames,
  type NamesConfig,
  type ProfileConfig,
  type RestartConfig,
  type ServerConfig,
  type StdioTransportConfig,
  type TimeoutsConfig,
  TOKENIZERS,
  type TransportConfig,
  NO_BUDGET,
} from './gateway-config.ts';
export { compileGlobs, type NameFilter } from './globs.ts';
export { type ConfigSource, loadConfig, type LoadOptions, parseConfig } from './load-config.ts';
export type { Environment } from './references.ts';
