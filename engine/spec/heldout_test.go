package spec_test

import (
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

const heldOutItem = "- [ ] It handles leap years, tell: check February `$ ./leap`\n"

func TestCutHeldOut(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ text, rest, section string }{
		"in the middle": {
			"---\nstatus: pending\n---\n\n# A\n\n## Held-out Criteria\n\n" + heldOutItem + "\n## Notes\n\nb \n",
			"---\nstatus: pending\n---\n\n# A\n\n## Notes\n\nb \n", "## Held-out Criteria\n\n" + heldOutItem + "\n",
		},
		"at the end without a line end": {
			"# A\n\n## held-OUT criteria\n- [ ] x `$ true`", "# A\n\n", "## held-OUT criteria\n- [ ] x `$ true`",
		},
		"with CRLF and a byte order mark": {
			"\ufeff# A\r\n\r\n### Held-out Criteria (draft)\r\n\r\n- [ ] x `$ true`\r\n\r\n# B\r\n", "\ufeff# A\r\n\r\n# B\r\n",
			"### Held-out Criteria (draft)\r\n\r\n- [ ] x `$ true`\r\n\r\n",
		},
		"two, the first with a section in it": {
			"## Held-out Criteria\n### Acceptance Criteria\n- [ ] x `$ a`\n## B\nb\n## Held-out Criteria\n- [ ] y `$ b`\n", "## B\nb\n",
			"## Held-out Criteria\n### Acceptance Criteria\n- [ ] x `$ a`\n## Held-out Criteria\n- [ ] y `$ b`\n",
		},
		"in a code fence": {"# A\n\n```\n## Held-out Criteria\n- [ ] x `$ a`\n```\n", "# A\n\n```\n## Held-out Criteria\n- [ ] x `$ a`\n```\n", ""},
		"in a comment":    {"<!--\n## Held-out Criteria\n- [ ] x `$ a`\n-->\n", "<!--\n## Held-out Criteria\n- [ ] x `$ a`\n-->\n", ""},
		"another word":    {"## Held-out Criterias\n- [ ] x `$ a`\n", "## Held-out Criterias\n- [ ] x `$ a`\n", ""},
		"in the prose":    {"# Held-out criteria, which see\n", "", "error"},
	} {
		doc, err := markdown.Parse("a.md", []byte(tc.text))
		assert.NoError(t, err)
		rest, section, err := spec.CutHeldOut(doc)
		if tc.section == "error" {
			assert.EqualError(t, err, "a.md:1: the section \"Held-out criteria, which see\" has no criterion, such as - [ ] It parses dates `$ go test ./dates`", name)
			continue
		}
		assert.NoError(t, err, name)
		assert.Equal(t, tc.rest, string(rest.Bytes()), name)
		assert.Equal(t, tc.section, string(section), name)
	}
}

func TestCutHeldOut_withoutCommand(t *testing.T) {
	t.Parallel()
	doc, err := markdown.Parse("a.md", []byte("# A\n\n## Held-out Criteria\n\n- [ ] It is good\n"))
	assert.NoError(t, err)
	_, _, err = spec.CutHeldOut(doc)
	assert.EqualError(t, err, "a.md:5: held-out criterion \"It is good\" has no command at its end, such as `$ go test ./dates`")
}

func TestCriterion_Tell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"It holds, tell: look at February  `$ ./x`": "look at February",
		"tell: a `code` span `$ ./x` `$ ./y`":       "a `code` span",
		"It holds, Tell:look\n  twice `$ ./x`":      "look twice",
		"It does not retell: this `$ ./x`":          "",
		"It holds `$ ./x tell: no`":                 "",
		"It holds, tell: `$ ./x`":                   "",
	} {
		all, err := spec.HeldOutCriteria("a.md", []byte("- [ ] "+text+"\n"))
		assert.NoError(t, err)
		assert.Equal(t, want, all[0].Tell(), "%q", text)
		assert.Equal(t, "held-out-1", all[0].ID)
		assert.True(t, strings.HasPrefix(all[0].Commands[0], "./x"), "%q", all[0].Commands)
	}
}

// TestContentHash_heldOut: moving the section into its file must not void an approval.
func TestContentHash_heldOut(t *testing.T) {
	t.Parallel()
	with, err := markdown.Parse("a.md", []byte("# A\n\n## Held-out Criteria\n\n"+heldOutItem))
	assert.NoError(t, err)
	without, _, err := spec.CutHeldOut(with)
	assert.NoError(t, err)
	assert.Equal(t, spec.ContentHash(without), spec.ContentHash(with))
}
