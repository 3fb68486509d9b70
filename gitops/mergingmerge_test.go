package gitops

import (
	"testing"

	"chant/gitops/gitexec"
)

func FuzzParseMerge(f *testing.F) {
	f.Add("tree\x00100644 h 1\ta\x00100644 h 2\ta\x00100644 h 3\tb\x00")
	f.Fuzz(func(t *testing.T, out string) { parseMerge(gitexec.Records([]byte(out))) })
}
