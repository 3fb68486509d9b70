// Package evidence is the domain of what proves that a spec is done: criteria and how they run, the sandbox that they and
// agents run in, journals of runs, signatures and keys, questions that were asked and answered. Who decides on the evidence
// (verify, run/judge) lies above.
package evidence
