package prose

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// plain returns the text of marked code.
func plain(marked string) string {
	return html.UnescapeString(regexp.MustCompile(`</?span[^>]*>`).ReplaceAllString(marked, ""))
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	for language, c := range map[string]struct{ code, want string }{
		"go":        {"return \"a<b\" // x\n", `<span class="k">return</span> <span class="s2">&#34;a&lt;b&#34;</span> <span class="c1">// x</span>`},
		"golang":    {"x := 0x1F + 1.5e3", `<span class="mh">0x1F</span>`},
		"sh":        {"echo \"$HOME\"", `<span class="nb">echo</span>`},
		"yaml":      {"status: pending\n", `<span class="nt">status</span>`},
		"json":      {`{"a": true}`, `<span class="kc">true</span>`},
		"diff":      {"+added\n-gone\n", `<span class="gi">+added`},
		"html":      {"<b onclick=x>", `<span class="nt">`},
		"no-such":   {"<b>", "&lt;b&gt;"},
		"":          {"<b>", "&lt;b&gt;"},
		"../go":     {"func", "func"},
		"go ignore": {"func", `<span class="kd">func</span>`},
	} {
		got := Highlight(c.code, language)
		assert.Contains(t, got, c.want, "%s", language)
		if plain(got) != c.code {
			t.Errorf("%s: the text is now %q instead of %q", language, plain(got), c.code)
		}
	}
}

// TestHTML_long: what is too long stays as it is.
func TestHTML_long(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{"lines": strings.Repeat("func\n", maxBytes/5+1), "a line": strings.Repeat("func ", maxLine/5+1)} {
		assert.Equal(t, code, Highlight(code, "go"), "%s: marked", name)
	}
}

// TestLexers_areThoseOfTheModule compares the copies with the module of chroma.
func TestLexers_areThoseOfTheModule(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/alecthomas/chroma/v2").Output()
	if err != nil || len(strings.TrimSpace(string(out))) == 0 {
		t.Skipf("the module of chroma is not here: %v", err)
	}
	from := filepath.Join(strings.TrimSpace(string(out)), "lexers", "embedded")
	names, err := filepath.Glob("lexers/*.xml")
	assert.NoError(t, err)
	assert.True(t, len(names) >= 20, "%d lexers, %v", len(names), err)
	for _, name := range names {
		ours, err := os.ReadFile(name)
		assert.NoError(t, err)
		base := strings.NewReplacer("csharp", "c#", "cpp", "c++").Replace(filepath.Base(name))
		theirs, err := os.ReadFile(filepath.Join(from, base))
		assert.NoError(t, err, "%s differs from the module's: run site/prose/vendor.sh", name)
		assert.Equal(t, string(theirs), string(ours), "%s differs from the module's: run site/prose/vendor.sh", name)
	}
}

// FuzzHTML: whatever the code is, its text stays the same.
func FuzzHighlight(f *testing.F) {
	f.Add("func f() { /* */ }", "go")
	f.Add("a: [b, \"c\"]\n", "yaml")
	f.Add("\xff\x00\r\n'", "bash")
	f.Add("<!-- <b> -->", "html")
	f.Fuzz(func(t *testing.T, code, language string) {
		assert.Equal(t, code, plain(Highlight(code, language)), "%q", language)
	})
}
