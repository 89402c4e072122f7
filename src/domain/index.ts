// The nouns that every room shares: ids, eras, definitions, principals, errors, time.
// In: nothing. Out: types and small constants.
// No input or output happens here.
export { type Bag, createBag, type Seat } from './bag.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  DEFINITION_KINDS,
  type DefinitionKind,
  type Diagnostic,
  LISTS,
  type RawDefinition,
  type ServerDefinitions,
} from './definitions.ts';
export { BATCH_VERSION, type Era, HEADERLESS_VERSION, LEGACY_VERSIONS, MODERN_VERSIONS } from './eras.ts';
export { asGatewayError, GatewayError, type GatewayErrorCode, type GatewayErrorOptions } from './errors.ts';
export {
  type ExposedUri,
  exposedUri,
  type NativeName,
  nativeName,
  type NativeUri,
  nativeUri,
  type QualifiedName,
  qualifiedName,
  type ServerId,
  serverId,
} from './ids.ts';
export { ANONYMOUS, DEFAULT_PROFILE, type Principal } from './principal.ts';
