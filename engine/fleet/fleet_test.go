package fleet

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, c.want, n.CanWork(c.needs), "%s", name)
	}
}

// TestParseClaim: what Bytes writes is read again; a claim of another spec, or of nobody, is refused.
func TestParseClaim(t *testing.T) {
	t.Parallel()
	whole := Claim{ID: "a", Worker: "w", Lease: "l", Attempt: 2, Count: 3, State: Completed, Base: "b", Tip: "t", Evidence: "{}\n", Questions: []Question{{Number: 1, Prompt: "a?"}, {Number: 2, Prompt: "b?", Answer: "c"}}}
	content, err := whole.Bytes()
	assert.NoError(t, err)
	got, err := ParseClaim("a", content)
	assert.NoError(t, err)
	assert.Equal(t, whole, got)
	for name, c := range map[string]string{
		"another spec":  `{"id":"b","worker":"w","lease":"l","state":"working"}`,
		"nobody":        `{"id":"a","lease":"l","state":"working"}`,
		"no state":      `{"id":"a","worker":"w","lease":"l"}`,
		"not JSON":      `id: a`,
		"more than all": strings.Repeat(" ", maxClaim+1),
	} {
		got, err := ParseClaim("a", []byte(c))
		assert.Error(t, err, "%s: %+v", name, got)
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
		assert.NoError(t, err)
		got, err := ParseClaim("a", again)
		assert.NoError(t, err)
		last, err := got.Bytes()
		assert.NoError(t, err)
		assert.Equal(t, string(again), string(last))
	})
}

// FuzzFromToken: a token is that of one text, and nothing else is a token.
func FuzzFromToken(f *testing.F) {
	for _, text := range []string{"a.b *>", "_2e", "_", "", "2026-01-02-001-abc", "_zz", "a_2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := FromToken(Token(text))
		assert.True(t, ok, "%q, %t from the token of %q", got, ok, text)
		assert.Equal(t, text, got)
		if got, ok := FromToken(text); ok && Token(got) != text {
			t.Errorf("%q is the token of %q, and not %q", Token(got), got, text)
		}
	})
}
