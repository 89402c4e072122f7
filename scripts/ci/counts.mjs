// Prints "PASSED FAILED" for one step of .ci/run: counts.mjs KIND STATUS LOG REPORT.
import { existsSync, readFileSync } from 'node:fs';

const [kind, status, log, report] = process.argv.slice(2);
const ended = Number(status) === 0;

/** A skipped test counts as failed: where everything is installed it shows nothing, and looks like success. */
function vitestCounts() {
  if (!existsSync(report)) return [0, 1];
  const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
  return [numPassedTests, numTotalTests - numPassedTests];
}

function harnessCounts() {
  const lines = readFileSync(log, 'utf8').split('\n');
  const last = lines.map((line) => /^(\d+) passed, (\d+) failed$/.exec(line.trim())).findLast(Boolean);
  return last ? [Number(last[1]), Number(last[2])] : [0, 1];
}

function statusCounts() {
  return ended ? [1, 0] : [0, 1];
}

const counters = new Map([
  ['vitest', vitestCounts],
  ['harness', harnessCounts],
  ['status', statusCounts],
]);
const [passed, counted] = counters.get(kind)();
// A step that ended badly failed, whatever it counted; a step that counted nothing showed nothing.
const failed = counted === 0 && (!ended || passed === 0) ? 1 : counted;
console.log(`${passed} ${failed}`);
