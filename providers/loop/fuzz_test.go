package loop

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"chant/text"

	"github.com/alecthomas/assert/v2"
)

// FuzzAnswer: whatever a server sends, an answer is whole or an error, and can be said
// to the server again.
func FuzzAnswer(f *testing.F) {
	t := turn{text: "A text.", calls: []scripted{{"read_file", `{"path":"a"}`}, {"search", `{"pattern":`}}}
	for i, api := range []string{OpenAI, Ollama, Anthropic} {
		f.Add(i, stream(api, turn{text: "A text.", calls: t.calls[:1]}, 1))
	}
	f.Add(0, stream(OpenAI, t, 1))
	f.Add(1, `{"message":{"tool_calls":[{"function":{"name":"a","arguments":"{}"}}]},"done":true}`)
	f.Fuzz(func(t *testing.T, form int, src string) {
		var got answer
		var err error
		switch form % 3 {
		case 0:
			var a openAIAnswer
			if err = a.read(strings.NewReader(src)); err == nil {
				got = a.assemble(1)
			}
		case 1:
			got, err = ollamaAnswer(strings.NewReader(src))
		default:
			var a anthropicAnswer
			if err = a.read(strings.NewReader(src)); err == nil {
				got = a.assemble(1)
			}
		}
		if err != nil {
			return
		}
		assignIDs(got.Calls, 1)
		said := []message{{Role: fromModel, Text: got.Text, Calls: got.Calls}}
		for _, body := range []any{openAIMessages(conversation{Messages: said}), ollamaMessages(conversation{Messages: said}), anthropicMessages(said)} {
			_, err := json.Marshal(body)
			assert.NoError(t, err, "cannot be sent again")
		}
	})
}

// FuzzTree: a path that is walked never begins outside, and never is git's.
func FuzzTree(f *testing.F) {
	for _, seed := range []string{"a/b", "../x", "/etc/passwd", "/top/a", "/topple", "a/../..", ".git", "A/.GIT/x", "\\..\\x", "a\x00", ""} {
		f.Add(seed)
	}
	dir := f.TempDir()
	tree, err := openTree(dir)
	assert.NoError(f, err)
	f.Cleanup(func() { tree.close() })
	f.Fuzz(func(t *testing.T, name string) {
		rel, err := tree.relativePath(name)
		assert.False(t, err == nil && !filepath.IsLocal(filepath.FromSlash(rel)), "%q is walked as %q", name, rel)
		at, err := tree.resolve(name, false)
		assert.False(t, err == nil && (isGitName(path.Base(at)) || !strings.HasPrefix(filepath.Join(dir, at), dir)), "%q leads to %q", name, at)
	})
}

// FuzzTexts: what models write as calls, patterns and edits never breaks a run.
func FuzzTexts(f *testing.F) {
	f.Add("```json\n{\"name\":\"a\",\"arguments\":{}}\n```", "**/*.{go,ts}", 10)
	f.Add("{", "[x", 0)
	f.Add("é\xff", "a{b", 5)
	f.Fuzz(func(t *testing.T, words, pattern string, limit int) {
		for _, c := range parseCallText(words, func(string) bool { return true }) {
			assert.True(t, json.Valid([]byte(c.Input)), "%q is called with %q", words, c.Input)
		}
		if fits, err := glob(pattern); err != nil {
			assert.True(t, strings.ContainsAny(pattern, "{}"), "%q: %v", pattern, err)
		} else if plain := strings.ToValidUTF8(words, ""); plain != "" && !strings.ContainsAny(pattern, `\*?{}/`) && fits(plain) != (pattern == "" || path.Base(plain) == pattern && !strings.HasSuffix(plain, "/")) {
			t.Errorf("%q matches %q: %v", pattern, plain, fits(plain))
		}
		limit = min(max(limit, 3), 1000)
		if got := text.ClipBytes(words, limit); utf8.ValidString(words) && !utf8.ValidString(got) || len(got) > limit+len("…") {
			t.Errorf("%q is clipped to %q", words, got)
		}
		if !utf8.ValidString(text.Ends(words, limit)) && utf8.ValidString(words) {
			t.Errorf("the ends of %q are %q", words, text.Ends(words, limit))
		}
		_ = nearestLines(words, pattern)
	})
}
