package serve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"chant/engine"
	"chant/engine/author/review"
	"chant/engine/evidence/question"
	"chant/engine/spec/next"
	"chant/engine/view/pages"
	"chant/engine/work"
	"chant/engine/work/node"
	"chant/engine/work/questions"
	"chant/engine/work/queue"
	"chant/site"
)

// maxBody is how much a form may send.
const maxBody = 64 << 10

// saidAfter returns what a page says after an action, "" for anything else.
func saidAfter(act string) string {
	return map[string]string{
		"work": "A run was started.", "approve": "Approved.", "reject": "Rejected.", "answer": "Answered.",
	}[act]
}

// act does what a form asks for, and leads back to the page of the spec.
func (s *server) act(w http.ResponseWriter, r *http.Request) {
	// Every connection of net/http has deadlines, so that this cannot fail.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, "the form is too large", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
		return
	}
	// What follows may take longer than reading the form.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	id, name := r.PathValue("id"), r.PostForm.Get("act")
	// By the context of the server: a person who closes the page has still decided.
	if err := s.decide(s.ending, id, name, r.PostForm); err != nil {
		s.fail(w, err)
		return
	}
	// Before the redirect, so that the next page shows what was decided.
	s.hub.advance()
	http.Redirect(w, r, s.gate.folder+site.SpecPath(id)+"?done="+url.QueryEscape(name), http.StatusSeeOther)
}

// startTime is how long the start of a run may take.
const startTime = time.Minute

// decide calls an operation of the engine.
func (s *server) decide(ctx context.Context, id, name string, form url.Values) error {
	switch name {
	case "work":
		ctx, cancel := context.WithTimeout(ctx, startTime)
		defer cancel()
		_, err := queue.WorkStart(ctx, s.project, queue.WorkStartInput{WorkInput: work.WorkInput{ID: id}})
		return err
	case "approve":
		one, err := pages.One(ctx, s.project, pages.OneInput{ID: id})
		if err != nil {
			return err
		}
		// What a person approves is what the page showed.
		if form.Get("seen") != seenOf(one) {
			return engine.Fail(engine.Conflict, next.Show.On(id), "spec %q or the work on it has changed since the page was shown: look at it again", id)
		}
		_, err = review.Approve(ctx, s.project, review.ApproveInput{ID: id})
		return err
	case "reject":
		_, err := review.Reject(ctx, s.project, review.RejectInput{ID: id, Reason: form.Get("reason")})
		return err
	case "answer":
		n, err := strconv.Atoi(form.Get("question"))
		if err != nil {
			return engine.Fail(engine.Usage, next.Answer.On(id), "the number of the question is missing")
		}
		_, err = node.Answer(ctx, s.project, questions.AnswerInput{ID: id, Question: n, Text: form.Get("text"), How: question.OnBoard})
		return err
	}
	return engine.Fail(engine.Usage, next.Show.On(id), "unknown action (use work, approve, reject or answer)")
}
