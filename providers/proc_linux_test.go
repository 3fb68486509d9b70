package providers

import (
	"os"
	"testing"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	line := "42 (a) Z (b)) S 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 0 0"
	r, state, ok := parseStat(42, "boot", []byte(line))
	want := row{pid: 42, parent: 7, group: 40, session: 39, started: "boot/987654"}
	if !ok || state != "S" || r != want {
		t.Errorf("got %+v %q %v, want %+v", r, state, ok, want)
	}
	for _, line := range []string{"", "42 (x) S 1 2 3", ")"} {
		if _, _, ok := parseStat(42, "boot", []byte(line)); ok {
			t.Errorf("%q was read", line)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("42 (a b) S 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 0 0"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if r, _, ok := parseStat(1, "boot", content); ok && (r.pid != 1 || r.started == "boot/") {
			t.Errorf("%q: %+v", content, r)
		}
	})
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	self := Process{PID: os.Getpid(), Started: identity(os.Getpid())}
	if self.Started == "" || !Alive(self) {
		t.Errorf("own process: %+v", self)
	}
	if identity(1<<30) != "" {
		t.Error("a number that cannot exist has an identity")
	}
}
