// Package e2e tests chant from outside: as a program on a real git repository,
// with real agent CLIs where they are present and only the model faked.
//
// It contains the stories (testdata/script, one archive each), the tests that kill a
// run at every step, the import rules (layers), the benchmarks of whole
// commands, and machines for the tests of a fleet.
//
// # Machines
//
// A test that needs mounts or hosts of its own (inOwnMounts, inOwnNetwork) runs again in a process with namespaces of its
// own. It needs no root where the system lets users have namespaces, is skipped with the reason where it does not, and
// leaves nothing behind. CHANT_E2E_FLEET is the number of specs that a fleet works, and CHANT_E2E_FLEET_DEPTH, _HOSTS,
// _SLOTS, _SECONDS and _SEED are the layers of dependencies, the hosts, the runs side by side on each, how long an agent
// takes, and what the graph is made from.
//
// # Decisions
//
// 2026-11-26: tests with namespaces run in a process of their own. Rejected: hosts of "ip netns" on the machine itself,
// which need root, and which a test that is killed leaves there.
package e2e
