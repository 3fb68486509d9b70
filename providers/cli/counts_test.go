package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestStreams_counts: tokens and turns count however JSON spells a whole number. What is
// none makes the usage unknown, not 0, and takes nothing else with it.
func TestStreams_counts(t *testing.T) {
	t.Parallel()
	counts := regexp.MustCompile(`("(?:[a-z_]*tokens|cached|input|output|total|reasoning|read|write|num_turns)": *)(\d+)\b`)
	for _, form := range clis() {
		for name, file := range recorded(t, form) {
			src, err := os.ReadFile(file)
			assert.NoError(t, err)
			exit := readTruth(t, file).exit()
			events, want := decode(forms()[form](providers.Invocation{}), string(src), exit)
			for _, spelling := range []string{"${1}${2}.0", "${1}${2}e0"} {
				again, got := decode(forms()[form](providers.Invocation{}), counts.ReplaceAllString(string(src), spelling), exit)
				if inJSONText(t, again) != inJSONText(t, events) || inJSONText(t, got) != inJSONText(t, want) {
					t.Errorf("%s/%s, %s: %+v, want %+v", form, name, spelling, got, want)
				}
			}
			if !slices.ContainsFunc(events, tellsUsage) {
				continue
			}
			odd, got := decode(forms()[form](providers.Invocation{}), counts.ReplaceAllString(string(src), `${1}-1.5`), exit)
			if slices.ContainsFunc(odd, tellsUsage) || got.Usage != nil || got.OK != want.OK || got.Text != want.Text || besidesUsage(odd) != besidesUsage(events) {
				t.Errorf("%s/%s, odd: %+v after %d of %d events", form, name, got, besidesUsage(odd), besidesUsage(events))
			}
		}
	}
}

func tellsUsage(e providers.Event) bool { return e.Kind == providers.Spending && e.Spent.Usage != nil }

func besidesUsage(events []providers.Event) int {
	n := 0
	for _, e := range events {
		if e.Kind != providers.Spending {
			n++
		}
	}
	return n
}

func inJSONText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	assert.NoError(t, err)
	return string(text)
}

// Of answers that can be read and one that cannot, those that can be read count, and all of
// them as answers.
func TestClaudeDecoder_oddAnswer(t *testing.T) {
	t.Parallel()
	const answer = `{"type":"assistant","message":{"id":"m%","content":[{"type":"text","text":"%"}],"usage":{"input_tokens":@,"output_tokens":1}}}`
	output := ""
	for i, n := range []string{"1e3", `"many"`, "300.0"} {
		line := regexp.MustCompile("%").ReplaceAllString(answer, string(rune('a'+i)))
		output += regexp.MustCompile("@").ReplaceAllString(line, n) + "\n"
	}
	events, _ := decode(&claudeDecoder{}, output, providers.Exit{})
	assert.Equal(t, 6, len(events), "%+v", events)
	got := *events[5].Spent
	assert.Equal(t, 3, got.Turns, "%+v", got.Usage)
	assert.Equal(t, providers.Usage{Input: 1300, Output: 2}, *got.Usage, "%+v", got.Usage)
}
