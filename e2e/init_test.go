package e2e

import (
	"bufio"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// The most that the initialization of one of our packages may allocate: a few errors and functions. A compiled pattern
// or a table of a hundred rows needs more, and belongs into a sync.OnceValue.
const (
	initBytes  = 4096
	initAllocs = 32
)

// TestInit_isSmall reads from the runtime's trace what each package allocates when chant starts. A package that does
// nothing then is not in the trace.
func TestInit_isSmall(t *testing.T) {
	t.Parallel()
	r := execute(t, t.TempDir(), append(os.Environ(), "GODEBUG=inittrace=1"), chantBinary(t), "--version")
	assert.Equal(t, 0, r.code, "exit %s", r.stderr)
	line := regexp.MustCompile(`^init (\S+) @.* clock, (\d+) bytes, (\d+) allocs$`)
	lines := bufio.NewScanner(strings.NewReader(r.stderr))
	traced := 0
	for lines.Scan() {
		found := line.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		traced++
		name := found[1]
		bytes, _ := strconv.Atoi(found[2])
		allocs, _ := strconv.Atoi(found[3])
		assert.False(t, strings.HasPrefix(name, module) && (bytes > initBytes || allocs > initAllocs), "%s allocates %d bytes in %d pieces at each start (at most %d in %d): compile and build what is not "+
			"always used in a sync.OnceValue", name, bytes, allocs, initBytes, initAllocs)
		for _, costly := range []string{"github.com/santhosh-tekuri/", "github.com/yuin/goldmark/extension"} {
			if strings.HasPrefix(name, costly) && bytes > 100_000 {
				t.Errorf("%s is part of chant again and allocates %d bytes at each start", name, bytes)
			}
		}
	}
	assert.True(t, traced >= 20, "%d packages are in the trace: the form of its lines has changed\n%s", traced, r.stderr)
}
