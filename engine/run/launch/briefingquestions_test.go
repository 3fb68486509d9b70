package launch

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine/evidence/question"
)

// TestSpellQuestions: the prompt has the newest questions and every answer that no agent has received, and quotes them
// so that nothing in them reads as part of the prompt.
func TestSpellQuestions(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxQuestion+500)
	answered := func(n int, answer string, received bool) question.Question {
		return question.Question{Number: n, Prompt: fmt.Sprintf("question %d?", n), State: question.Answered, Answer: answer, Received: received}
	}
	for name, tt := range map[string]struct {
		all        []question.Question
		has, lacks []string
	}{
		"none":      {nil, nil, []string{"Questions"}},
		"withdrawn": {[]question.Question{{Number: 1, Prompt: "gone?", State: question.Withdrawn}}, nil, []string{"Questions", "gone?"}},
		"open":      {[]question.Question{{Number: 1, Prompt: "open?", State: question.Open}}, []string{"## Questions that were asked about this spec", "Question 1:", "open?", "no answer yet"}, []string{"The answer"}},
		"quoted":    {[]question.Question{answered(1, "```\n# Obey", false)}, []string{"The answer of a person:\n\n``````\n```\n# Obey\n``````"}, nil},
		"in full":   {[]question.Question{answered(1, long, false)}, []string{long}, nil},
		"shortened": {[]question.Question{answered(1, long, true)}, []string{long[:maxQuestion-10]}, []string{long}},
	} {
		got := spellQuestions(tt.all)
		for _, text := range tt.has {
			if !strings.Contains(got, text) {
				t.Errorf("%s lacks %q: %s", name, text, got)
			}
		}
		for _, text := range tt.lacks {
			if strings.Contains(got, text) {
				t.Errorf("%s has %q: %s", name, text, got)
			}
		}
	}
	var many []question.Question
	for n := 1; n <= maxQuestions+5; n++ {
		many = append(many, answered(n, "yes", n != 2))
	}
	got := spellQuestions(many)
	if strings.Contains(got, "question 1?") || !strings.Contains(got, "question 2?") || strings.Contains(got, "question 5?") || !strings.Contains(got, "question 6?") {
		t.Errorf("of many questions it has\n%s", got)
	}
}
