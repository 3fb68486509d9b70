package e2e

import (
	"hash/fnv"
	"os"
	"testing"
)

// fullSuite is the value of CHANT_E2E that runs what is left out of each change: see CONTRIBUTING.md.
const fullSuite = "full"

func isFull() bool { return os.Getenv("CHANT_E2E") == fullSuite }

// forRelease skips what only a release needs, or a change of the parts that are named.
func forRelease(t testing.TB, parts string) {
	t.Helper()
	if !isFull() {
		t.Skipf("CHANT_E2E=%s runs it: for releases, and for changes of %s", fullSuite, parts)
	}
}

// oneOf skips all but one of n rows of a table, always the same ones. Rows are chosen by their names, so that a
// new row changes nothing for the others.
func oneOf(t testing.TB, n uint32) {
	t.Helper()
	hash := fnv.New32a()
	hash.Write([]byte(t.Name()))
	if !isFull() && hash.Sum32()%n != 0 {
		t.Skipf("CHANT_E2E=%s runs it: each change tries one of %d rows", fullSuite, n)
	}
}
