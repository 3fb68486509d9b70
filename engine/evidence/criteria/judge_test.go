package criteria

import (
	"strings"
	"testing"

	"chant/engine/spec"
)

func TestToJudge(t *testing.T) {
	t.Parallel()
	got := ToJudge([]spec.Criterion{{ID: "ab12", Text: "It is\n  so"}, {ID: "cd34", Text: "And so"}})
	if want := "- id \"ab12\": It is so\n- id \"cd34\": And so"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestParseVerdicts: an answer is found anywhere in the text, in a fence too (9A-68).
func TestParseVerdicts(t *testing.T) {
	t.Parallel()
	one := `{"verdicts":[{"id":"a","verdict":"pass","reason":"x.go  has\nit"},{"id":"b","verdict":"skip","reason":"?"}]}`
	for name, text := range map[string]string{
		"bare": one, "fence": "I looked.\n\n```json\n" + one + "\n```\n", "plain fence": "```\n" + one + "\n```", "prose": "So: " + one + " Done.",
	} {
		got, err := ParseVerdicts(text, []string{"a", "b"})
		if err != nil || got["a"] != (Judged{Pass, "x.go has it"}) || got["b"].Opinion != Skip || len(got) != 2 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := ParseVerdicts(`{"verdicts":[]}`, nil); err != nil || len(got) != 0 {
		t.Errorf("nothing to judge: %v, %v", got, err)
	}
	long, err := ParseVerdicts(`{"verdicts":[{"id":"a","verdict":"fail","reason":"`+strings.Repeat("日", 9999)+`"}]}`, []string{"a"})
	if n := len([]rune(long["a"].Reason)); err != nil || n != reasonLimit+1 {
		t.Errorf("a reason of %d runes, %v", n, err)
	}
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
		if got, err := ParseVerdicts(text, []string{"a"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", text, got, err, want)
		}
	}
}
