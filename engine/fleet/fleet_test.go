package fleet

import (
	"reflect"
	"strings"
	"testing"
)

// TestNode_CanWork: a node needs the provider and every label.
func TestNode_CanWork(t *testing.T) {
	t.Parallel()
	n := Node{Providers: []string{"claude", "shell"}, Labels: []string{"linux", "gpu"}}
	for name, c := range map[string]struct {
		needs Needs
		want  bool
	}{
		"nothing":              {Needs{}, true},
		"a provider":           {Needs{Provider: "shell"}, true},
		"another provider":     {Needs{Provider: "codex"}, false},
		"labels in any order":  {Needs{Labels: []string{"gpu", "linux"}}, true},
		"one label is missing": {Needs{Labels: []string{"gpu", "arm"}}, false},
	} {
		if got := n.CanWork(c.needs); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// TestParseClaim: what Bytes writes is read again; a claim of another spec, or of nobody, is refused.
func TestParseClaim(t *testing.T) {
	t.Parallel()
	whole := Claim{ID: "a", Worker: "w", Lease: "l", Attempt: 2, Count: 3, State: Completed, Base: "b", Tip: "t", Evidence: "{}\n", Questions: []Question{{Number: 1, Prompt: "a?"}, {Number: 2, Prompt: "b?", Answer: "c"}}}
	content, err := whole.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParseClaim("a", content); err != nil || !reflect.DeepEqual(got, whole) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, c := range map[string]string{
		"another spec":  `{"id":"b","worker":"w","lease":"l","state":"working"}`,
		"nobody":        `{"id":"a","lease":"l","state":"working"}`,
		"no state":      `{"id":"a","worker":"w","lease":"l"}`,
		"not JSON":      `id: a`,
		"more than all": strings.Repeat(" ", maxClaim+1),
	} {
		if got, err := ParseClaim("a", []byte(c)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// FuzzParseClaim: whatever is read is written and read again without a change.
func FuzzParseClaim(f *testing.F) {
	f.Add([]byte(`{"id":"a","worker":"w","lease":"l","state":"working","count":1}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := ParseClaim("a", content)
		if err != nil {
			return
		}
		again, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseClaim("a", again)
		if err != nil {
			t.Fatal(err)
		}
		if last, err := got.Bytes(); err != nil || string(last) != string(again) {
			t.Errorf("%s, %v, want %s", last, err, again)
		}
	})
}

// FuzzFromToken: a token is that of one text, and nothing else is a token.
func FuzzFromToken(f *testing.F) {
	for _, text := range []string{"a.b *>", "_2e", "_", "", "2026-01-02-001-abc", "_zz", "a_2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := FromToken(Token(text)); !ok || got != text {
			t.Errorf("%q, %t from the token of %q", got, ok, text)
		}
		if got, ok := FromToken(text); ok && Token(got) != text {
			t.Errorf("%q is the token of %q, and not %q", Token(got), got, text)
		}
	})
}
