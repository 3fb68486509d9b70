package briefing

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/evidence/question"
	"chant/engine/spec"
	"chant/providers/cli"
	"chant/text"
)

// Bounds of what the prompt says about questions.
const (
	questionsNoted = 10       // the newest ones
	questionNoted  = 1000     // bytes of a question, and of an answer that an agent has received before
	answersNoted   = 64 << 10 // bytes of answers that none has received
)

// questions describes what agents have asked about the spec and what people have answered, "" if nothing was asked.
// Answers that no agent has received come in full.
func (b *Briefing) questions() (string, error) {
	if b.Store == nil || b.Job.ID == "" {
		return "", nil
	}
	all, err := question.In(b.Store.Files, b.Now).List(question.OfSpec(b.Job.ID))
	if err != nil {
		return "", err
	}
	return spellQuestions(all), nil
}

// receive records that the agent gets the answers with its prompt. A script is not sent one: it receives an answer when it
// asks the same again.
func (b *Briefing) receive(ctx context.Context) error {
	if b.Job.Provider == cli.ShellName {
		return nil
	}
	_, err := question.In(b.Store.Files, b.Now).Receive(ctx, question.OfSpec(b.Job.ID))
	return err
}

func spellQuestions(all []question.Question) string {
	var entries []string
	room := answersNoted
	for i, q := range all {
		late := i < len(all)-questionsNoted
		if q.State == question.Withdrawn || late && !q.Waits() {
			continue
		}
		entry := "Question " + fmt.Sprint(q.Number) + ":\n\n" + spec.Fenced("", text.ClipBytes(q.Prompt, questionNoted))
		switch {
		case q.State == question.Open:
			entry += "\n\nIt has no answer yet."
		case q.Waits():
			answer := text.ClipBytes(q.Answer, max(questionNoted, room))
			room -= len(answer)
			entry += "\n\nThe answer of a person:\n\n" + spec.Fenced("", answer)
		default:
			entry += "\n\nThe answer of a person:\n\n" + spec.Fenced("", text.ClipBytes(q.Answer, questionNoted))
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return ""
	}
	return "\n## Questions that were asked about this spec\n\n" + strings.Join(entries, "\n\n") + "\n"
}
