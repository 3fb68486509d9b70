package providers

import (
	"os"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	line := "42 (a) Z (b)) S 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 0 0"
	r, state, ok := parseStat(42, "boot", []byte(line))
	want := row{pid: 42, parent: 7, group: 40, session: 39, started: "boot/987654"}
	assert.True(t, ok, "got %+v %q %v, want %+v", r, state, ok, want)
	assert.Equal(t, "S", state)
	assert.Equal(t, want, r)
	for _, line := range []string{"", "42 (x) S 1 2 3", ")"} {
		_, _, ok := parseStat(42, "boot", []byte(line))
		assert.False(t, ok, "%q was read", line)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("42 (a b) S 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 0 0"))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, _, ok := parseStat(1, "boot", content)
		assert.False(t, ok && (r.pid != 1 || r.started == "boot/"), "%q: %+v", content, r)
	})
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	self := Process{PID: os.Getpid(), Started: identity(os.Getpid())}
	assert.NotEqual(t, "", self.Started)
	assert.True(t, Alive(self), "own process: %+v", self)
	assert.Equal(t, "", identity(1<<30), "a number that cannot exist has an identity")
}
