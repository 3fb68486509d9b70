// Package e2e tests chant from outside: as a program on a real git repository,
// with real agent CLIs where they are present and only the model faked.
//
// It contains the stories (testdata/script, one archive each), the tests that kill a
// run at every step, the import rules (layers), and the benchmarks of whole
// commands.
package e2e
