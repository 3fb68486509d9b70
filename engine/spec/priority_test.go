package spec

import "testing"

// TestPriority: words and numbers are read, 0 is the most urgent, no priority means medium, and a spec with an invalid
// priority can still be read.
func TestPriority(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text  string
		level int
		ok    bool
	}{
		{"", 2, true}, {"null", 2, true}, {"~", 2, true},
		{"Critical", 0, true}, {"high", 1, true}, {"MEDIUM", 2, true}, {"Low", 3, true}, {"lowest", 4, true},
		{"0", 0, true}, {"1", 1, true}, {"17", 17, true}, {"P0", 0, true}, {`"p3"`, 3, true},
		{"-1", 2, false}, {"1.5", 2, false}, {"soon", 2, false}, {"[high]", 2, false}, {"{a: 1}", 2, false},
	} {
		s, err := Parse("a", "a.md", []byte("---\nstatus: pending\npriority: "+tc.text+"\n---\n# A\n"))
		if err != nil {
			t.Errorf("priority %q loses the spec: %v", tc.text, err)
			continue
		}
		if level, ok := s.Fields.Priority.Level(); level != tc.level || ok != tc.ok {
			t.Errorf("priority %q is level %d, %v; want %d, %v", tc.text, level, ok, tc.level, tc.ok)
		}
	}
}

// TestSpec_AwaitsRetry: a spec that a person paused is not retried.
func TestSpec_AwaitsRetry(t *testing.T) {
	t.Parallel()
	const state = "retry_state: {attempts: 2, last_retry_time: -1000, next_retry_time: 1795186126301}\n"
	for text, want := range map[string]bool{
		"status: paused\n" + state: true,
		"status: paused\n":         false,
		"status: failed\n" + state: false, // as the older chant wrote it: nothing is scheduled
	} {
		s, err := Parse("a", "a.md", []byte("---\n"+text+"---\n# A\n"))
		if err != nil || s.AwaitsRetry() != want {
			t.Errorf("%q: %v, want %v, %v", text, s.AwaitsRetry(), want, err)
		}
		if want && (s.Fields.Retry.Due().UnixMilli() != 1795186126301 || s.Fields.Retry.Attempts != 2) {
			t.Errorf("%+v", s.Fields.Retry)
		}
	}
}
