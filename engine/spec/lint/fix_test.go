package lint

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestFix(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want, did string }{
		"status":                 {"---\nstatus: ready # soon\n---\n# T\n", "---\nstatus: pending # soon\n---\n# T\n", "status ready is now pending"},
		"spelling":               {"---\nDepends-On: a # so\n---\n# T\n", "---\ndepends_on: a # so\n---\n# T\n", "key Depends-On is now depends_on"},
		"a letter":               {"---\r\nlable: x\r\nlabel:\r\n- a\r\n---\r\n# T\r\n", "---\r\nlable: x\r\nlabels:\r\n- a\r\n---\r\n# T\r\n", "key label is now labels"},
		"the right one is there": {"---\nlabel: a\nlabels: [b]\n---\n# T\n", "", ""},
		"two could be meant":     {"---\nlabel: a\nlabls: b\n---\n# T\n", "---\nlabels: a\nlabls: b\n---\n# T\n", "key label is now labels"},
		"far from any":           {"---\nsuperseded_by: a\n---\n# T\n", "", ""},
		"its value does not fit": {"---\nApproval: yes\n---\n# T\n", "", ""},
		"in a flow":              {"---\n{Labels: [a]}\n---\n# T\n", "", ""},
		"repetitions":            {"---\nlabels: [a, b, a]\ntarget_files:\n  - x\n  - x\n---\n# T\n", "---\nlabels: [a, b]\ntarget_files:\n- x\n---\n# T\n", "duplicates were removed from labels; duplicates were removed from target_files"},
		"items with comments":    {"---\nlabels:\n  - a # one\n  - a\n---\n# T\n", "", ""},
		"a comment elsewhere":    {"---\nlabels:\n- a\n- a\nowner: x # y\n---\n# T\n", "---\nlabels:\n- a\nowner: x # y\n---\n# T\n", "duplicates were removed from labels"},
		"boxes":                  {"# T\n\n## Acceptance Criteria\n\n- [] a\n-[x] b\n- [ ]c\n- [ ] d\n", "# T\n\n## Acceptance Criteria\n\n- [ ] a\n- [x] b\n- [ ] c\n- [ ] d\n", "3 boxes are now criteria"},
		"boxes, CRLF":            {"# T\r\n## Acceptance Criteria\r\n\r\n- []  a\r\n", "# T\r\n## Acceptance Criteria\r\n\r\n- [ ] a\r\n", "1 box is now a criterion"},
		"items with a command":   {"# T\n\n## Acceptance Criteria\n\n- [ ] a\n  * b `$ false`\n1. c `$ false`\n- d\n", "# T\n\n## Acceptance Criteria\n\n- [ ] a\n  * [ ] b `$ false`\n1. [ ] c `$ false`\n- d\n", "2 boxes are now criteria"},
		"near headings":          {"# T\n\n### 3. **Acceptance Criteria:**\n\n- [ ] a\n\n## Else\n\n**Acceptance criteria**\r\n\n- [ ] b\n", "# T\n\n### Acceptance Criteria\n\n- [ ] a\n\n## Else\n\n## Acceptance Criteria\r\n\n- [ ] b\n", "line 3 is now the heading of criteria; line 9 is now the heading of criteria"},
		"other words":            {"# T\n\n## Definition of Done\n\n- [ ] a\n", "", ""},
		"a late front matter":    {"\n<!-- c -->\n---\napproval:\n  required: true\n---\n\n# T\n", "---\napproval:\n  required: true\n---\n<!-- c -->\n\n# T\n", "the front matter is now at the beginning"},
		"long dashes":            {"—\r\nstatus: failed\r\n—\r\n# T\r\n", "---\r\nstatus: failed\r\n---\r\n# T\r\n", "the front matter is now at the beginning"},
		"boxes, but done":        {"---\nstatus: completed\n---\n# T\n## Acceptance Criteria\n- [] a\n", "", ""},
		"nothing":                {"---\nstatus: pending\n---\n# T\n\n```\n- [] a\n```\n", "", ""},
	} {
		s, err := spec.Parse("x", "x.md", []byte(c.src))
		assert.NoError(t, err, "%s", name)
		doc, did, err := Fix(s, Defaults())
		if c.want == "" {
			c.want = c.src
		}
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, string(doc.Bytes()), "%s", name)
		assert.Equal(t, c.did, strings.Join(did, "; "), "%s", name)
	}
}

func TestFix_off(t *testing.T) {
	t.Parallel()
	s, err := spec.Parse("x", "x.md", []byte("---\nstatus: ready\nLabels: [a]\nmembers: [b, b]\n---\n# T\n## Acceptance Criteria\n- [] a\n"))
	assert.NoError(t, err)
	settings := Defaults()
	settings.Severity = map[string]Severity{"status": Off, "unknown_key": Off, "duplicate_item": Off, "box": Off}
	doc, did, err := Fix(s, settings)
	assert.NoError(t, err, "what is off is mended")
	assert.True(t, did == nil, "what is off is mended: %q, %v", did, err)
	assert.Equal(t, s.Doc.Bytes(), doc.Bytes(), "what is off is mended")
}

// A second fix changes nothing, and a fix keeps every criterion and the status.
func FuzzFix(f *testing.F) {
	f.Add([]byte("---\nstatus: ready\nLabels: [a, a]\n---\n# T\n## Acceptance Criteria\n- [] a\n1. [x]b `$ true`\n"))
	f.Add([]byte("\xef\xbb\xbf---\r\nlabel: [a]\r\n---\r\n## acceptance criteria\r\n> - [] a\r\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := spec.Parse("x", "x.md", src)
		if err != nil {
			return
		}
		doc, did, err := Fix(s, Defaults())
		if err != nil {
			return // what cannot be edited is said
		}
		next, err := spec.FromDocument("x", doc)
		assert.NoError(t, err, "%s", doc.Bytes())
		assert.Equal(t, s.Status, next.Status, "%s", doc.Bytes())
		if _, again, err := Fix(next, Defaults()); len(did) > 0 && (err != nil || slices.ContainsFunc(again, func(text string) bool { return slices.Contains(did, text) })) {
			t.Fatalf("%q, and again %q, %v\n%s", did, again, err, doc.Bytes())
		}
		kept := ids(doc)
		for _, id := range ids(s.Doc) {
			assert.SliceContains(t, kept, id, "a criterion is gone\n%s\n%s", src, doc.Bytes())
		}
	})
}

func ids(doc *markdown.Document) []string {
	var out []string
	for _, c := range spec.Criteria(doc) {
		out = append(out, c.ID)
	}
	return out
}
