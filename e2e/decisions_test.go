package e2e

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// rejection is what a decision of a package says of a library that it does not use, or uses less of than there is.
type rejection struct {
	file, library, version, text string
}

// TestDecisions_libraries reports decisions against a library of which go.mod now has another version than was looked at: what
// was measured may no longer hold. A decision that names none fails.
func TestDecisions_libraries(t *testing.T) {
	t.Parallel()
	modules := requirements(t)
	found := 0
	for _, r := range rejections(t, modules) {
		found++
		switch now := modules[r.library]; r.version {
		case "":
			t.Errorf("%s: no version of %s: %s", r.file, libraryName(r.library), r.text)
		case now:
			t.Logf("%s: %s %s", r.file, r.library, now)
		default:
			t.Logf("LOOK AGAIN %s: %s was %s, is %s: %s", r.file, r.library, r.version, now, r.text)
		}
	}
	assert.True(t, found >= 5, "%d decisions against libraries were found, want at least 5", found)
}

// libraryName is what a text calls a module: the end of its path, before the major version.
func libraryName(module string) string {
	if module == "github.com/santhosh-tekuri/jsonschema/v6" {
		return "santhosh-tekuri/jsonschema"
	}
	return path.Base(regexp.MustCompile(`/v\d+$`).ReplaceAllString(module, ""))
}

// requirements are the versions of go.mod by path of module.
func requirements(t *testing.T) map[string]string {
	t.Helper()
	src, err := os.ReadFile("../go.mod")
	assert.NoError(t, err)
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllSubmatch(src, -1) {
		out[string(m[1])] = string(m[2])
	}
	return out
}

// rejections lists the sentences after "Rejected:" in comments that name a library of go.mod, by the end of its path.
func rejections(t *testing.T, modules map[string]string) (out []rejection) {
	t.Helper()
	names := map[string]*regexp.Regexp{}
	for module := range modules {
		name := libraryName(module)
		// One word is often that of a program, a protocol or a thing, too.
		if strings.Contains(name, "-") || slices.Contains([]string{"chroma", "fsnotify", "goldmark", "lipgloss"}, name) {
			names[module] = regexp.MustCompile(`\b` + name + `(?:/[a-z/]+)?(?: (v\d+\.\d+\.\d+))?`)
		}
	}
	paragraphs, lines := regexp.MustCompile(`\n//\s*(\n|- )`), regexp.MustCompile(`\n// *`)
	sentences := regexp.MustCompile(`(?i)\brejected: .*?(?:\. [A-Z]|\.?$)`)
	err := filepath.WalkDir("..", func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", "grammars", "testdata"}, entry.Name()) {
			return fs.SkipDir
		}
		if filepath.Ext(at) != ".go" || strings.HasSuffix(at, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		for _, paragraph := range paragraphs.Split(string(src), -1) {
			text := lines.ReplaceAllString(paragraph, " ")
			for _, sentence := range sentences.FindAllString(text, -1) {
				for module, name := range names {
					if m := name.FindStringSubmatch(sentence); m != nil {
						out = append(out, rejection{filepath.ToSlash(at), module, m[1], strings.TrimSpace(sentence)})
					}
				}
			}
		}
		return nil
	})
	assert.NoError(t, err)
	return out
}
