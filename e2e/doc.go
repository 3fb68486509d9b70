// Package e2e tests chant from outside: as a program on a real git repository,
// with real agent CLIs where they are present and only the model faked.
//
// It holds the stories (testdata/script, one archive each), the test that kills a
// run at every step, the laws of the house (layers), and the benchmarks of whole
// commands.
package e2e
