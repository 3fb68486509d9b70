package criteria

import (
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestToJudge(t *testing.T) {
	t.Parallel()
	got := ToJudge([]spec.Criterion{{ID: "ab12", Text: "It is\n  so"}, {ID: "cd34", Text: "And so"}})
	assert.Equal(t, "- id \"ab12\": It is so\n- id \"cd34\": And so", got)
}

// TestParseVerdicts: an answer is found anywhere in the text, in a fence too (9A-68).
func TestParseVerdicts(t *testing.T) {
	t.Parallel()
	one := `{"verdicts":[{"id":"a","verdict":"pass","reason":"x.go  has\nit"},{"id":"b","verdict":"skip","reason":"?"}]}`
	for name, text := range map[string]string{
		"bare": one, "fence": "I looked.\n\n```json\n" + one + "\n```\n", "plain fence": "```\n" + one + "\n```", "prose": "So: " + one + " Done.",
	} {
		got, err := ParseVerdicts(text, []string{"a", "b"})
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, Judged{Pass, "x.go has it"}, got["a"], "%s", name)
		assert.Equal(t, Skip, got["b"].Opinion, "%s", name)
		assert.Equal(t, 2, len(got), "%s", name)
	}
	got, err := ParseVerdicts(`{"verdicts":[]}`, nil)
	assert.NoError(t, err, "nothing to judge: %v", got)
	assert.Zero(t, got, "nothing to judge: %v", got)
	long, err := ParseVerdicts(`{"verdicts":[{"id":"a","verdict":"fail","reason":"`+strings.Repeat("日", 9999)+`"}]}`, []string{"a"})
	n := len([]rune(long["a"].Reason))
	assert.NoError(t, err)
	assert.Equal(t, reasonLimit+1, n)
}

func TestParseVerdicts_refused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                  "holds no JSON",
		"all good":          "holds no JSON",
		"[]":                "is not a list of verdicts: got array, want object",
		"{}":                "is not a list of verdicts: missing property 'verdicts'",
		`{"verdicts":{}}`:   "/verdicts: got object, want array",
		`{"verdicts":[{}]}`: "/verdicts/0: missing properties",
		`{"verdicts":[{"id":"a","verdict":"PASS","reason":"r"}]}`: "/verdicts/0/verdict: value must be one of",
		`{"verdicts":[{"id":"a","verdict":"pass","reason":""}]}`:  "/verdicts/0/reason: minLength",
		`{"verdicts":[{"id":1,"verdict":"pass","reason":"r"}]}`:   "/verdicts/0/id: got number",
		`{"verdicts":[]}`: `did not judge criterion "a"`,
		`{"verdicts":[{"id":"z","verdict":"pass","reason":"r"}]}`:                                          `judged criterion "z", which is none`,
		`{"verdicts":[{"id":"a","verdict":"fail","reason":"r"},{"id":"a","verdict":"pass","reason":"r"}]}`: `judged criterion "a" twice`,
	} {
		got, err := ParseVerdicts(text, []string{"a"})
		assert.Error(t, err, "%s: %v", text, got)
		assert.Contains(t, err.Error(), want, "%s: %v", text, got)
	}
}
