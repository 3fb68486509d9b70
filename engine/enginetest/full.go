package enginetest

import (
	"hash/fnv"
	"os"
	"testing"
)

// fullSuite is the value of CHANT_E2E that runs what is left out of each change: see CONTRIBUTING.md.
const fullSuite = "full"

// IsFull reports whether all tests run.
func IsFull() bool { return os.Getenv("CHANT_E2E") == fullSuite }

// ForRelease skips what only a release needs, or a change of the parts that are named.
func ForRelease(t testing.TB, parts string) {
	t.Helper()
	if !IsFull() {
		t.Skipf("CHANT_E2E=%s runs it: for releases, and for changes of %s", fullSuite, parts)
	}
}

// SizeOf is how many of something a test has: few for each change, all of them in the full suite.
func SizeOf(few, all int) int {
	if IsFull() {
		return all
	}
	return few
}

// OneOf skips all but one of n rows of a table, always the same ones. Rows are chosen by their names, so that a
// new row changes nothing for the others.
func OneOf(t testing.TB, n uint32) {
	t.Helper()
	if !IsFull() && !isChosen(t.Name(), n) {
		t.Skipf("CHANT_E2E=%s runs it: each change tries one of %d rows", fullSuite, n)
	}
}

func isChosen(name string, n uint32) bool {
	hash := fnv.New32a()
	hash.Write([]byte(name))
	return hash.Sum32()%n == 0
}
