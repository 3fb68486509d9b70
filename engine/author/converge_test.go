package author

import (
	"testing"

	"chant/engine/evidence/criteria"
	"chant/engine/verify"

	"github.com/alecthomas/assert/v2"
)

func TestReadGaps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said string
		want []Gap
		err  string
	}{
		{"```json\n{\"gaps\": []}\n```", nil, ""},
		{"Two:\n```json\n{\"gaps\": [{\"requirement\": \"It\\nis fast\", \"criterion\": \"It is `$ fast`\"}]}\n```", []Gap{{Kind: UncoveredGap, Text: "It is fast", Criterion: "It is `$ fast`"}}, ""},
		{"None.", nil, "holds no JSON"},
		{"{\"gaps\": [{\"requirement\": \"\", \"criterion\": \"x\"}]}", nil, "is not a list of gaps"},
		{"{\"gaps\": [{\"requirement\": \"x\", \"criterion\": \"x\", \"status\": \"completed\"}]}", nil, "is not a list of gaps"},
	} {
		got, err := readGaps(c.said)
		assert.Equal(t, c.want, got, c.said)
		if c.err != "" {
			assert.Contains(t, err.Error(), c.err)
		} else {
			assert.NoError(t, err)
		}
	}
}

func TestGapsOf(t *testing.T) {
	t.Parallel()
	got := gapsOf(verify.VerifyResult{
		Verdicts: []criteria.Verdict{{Number: 1, Text: "one", Holds: true}, {Number: 2, Text: "two", Source: criteria.FromCriteria, Why: "`x` exited with 1"},
			{Number: 3, Text: "held-out criterion 1", Source: criteria.FromHeldOut, Why: "a held-out criterion failed"}},
		Reworded: []verify.Rewording{{What: "text", Change: verify.Reworded, Words: "[-a-] {+b+}"}},
	})
	assert.Equal(t, []Gap{
		{Kind: FailingGap, Number: 2, Text: "two (`x` exited with 1)", Criterion: "two"},
		{Kind: FailingGap, Number: 3, Text: "held-out criterion 1 (a held-out criterion failed)"},
		{Kind: RewordedGap, Text: "text reworded: [-a-] {+b+}"},
	}, got)
}
