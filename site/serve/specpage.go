package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/engine/view/pages"
	"chant/site"
	"chant/text"
)

// spec answers with the page of a spec.
func (s *server) spec(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimSuffix(r.PathValue("page"), ".html")
	content, err := s.specPage(r.Context(), id, saidAfter(r.URL.Query().Get("done")))
	s.page(w, content, err)
}

func (s *server) specPage(ctx context.Context, id, said string) ([]byte, error) {
	one, err := pages.One(ctx, s.project, pages.OneInput{ID: id})
	if err != nil {
		return nil, err
	}
	// A part of an id would be a second address of a page.
	if one.ID != id {
		return nil, errMissing
	}
	shown, err := view.Show(ctx, s.project, view.ShowInput{ID: id})
	if err != nil {
		return nil, err
	}
	run, err := s.runOf(ctx, shown)
	if err != nil {
		return nil, err
	}
	all, err := s.siteAround(ctx, &one)
	if err != nil {
		return nil, err
	}
	live := &site.LiveSpec{Actions: actionsOf(shown, one), Run: run}
	live.Said = said
	return site.NewRenderer(s.theme, s.options(), all).Spec(&all.Specs[0], live)
}

// siteAround returns a site in which a page finds the titles of other specs. The page is the first.
func (s *server) siteAround(ctx context.Context, one *pages.Page) (pages.Site, error) {
	rows, err := s.rows(ctx)
	if err != nil {
		return pages.Site{}, err
	}
	archived, err := s.project.Store.ArchivedIDs()
	if err != nil {
		return pages.Site{}, engine.Wrap(err, "")
	}
	all := pages.Site{Specs: []pages.Page{*one}}
	page := &all.Specs[0]
	// One reads only the specs around it, and does not know all that depend on it.
	page.Dependents = nil
	for _, r := range rows {
		if r.ID != one.ID {
			all.Specs = append(all.Specs, pages.Page{ID: r.ID, Title: r.Title})
		}
		for _, d := range r.DependsOn {
			if d == one.ID {
				all.Specs[0].Dependents = append(all.Specs[0].Dependents, r.ID)
			}
		}
	}
	for _, id := range archived {
		if id != one.ID {
			all.Specs = append(all.Specs, pages.Page{ID: id, Title: id, Archived: true})
		}
	}
	return all, nil
}

func stateOf(r view.Row) string {
	return site.StateOf(spec.Status(r.Status), r.Ready, r.Blocked, r.Archived)
}

// actionsOf returns what a person can decide about a spec now. The operations check it again.
func actionsOf(r view.ShowResult, one pages.Page) site.Actions {
	a := site.Actions{Path: "../act/" + url.PathEscape(r.ID), Seen: seenOf(one)}
	if r.Archived {
		return a
	}
	for _, q := range question.WithState(r.Questions, question.Open) {
		a.Questions = append(a.Questions, site.AskedQuestion{Number: q.Number, Prompt: q.Prompt})
	}
	// The fleet works and lands it, or waits for another attempt.
	if r.Node != "" {
		a.Next = next.FleetStatus.On().String()
		if r.Run == "" {
			a.Next = next.FleetRetry.On(r.ID).String()
		}
		return a
	}
	status := spec.Status(r.Status)
	landed := r.Landed != nil && *r.Landed
	switch status {
	case spec.Pending:
		a.CanWork = r.Ready
	case spec.Failed, spec.Paused, spec.NeedsAttention:
		a.CanWork = r.Run == "" || r.Run == "interrupted"
	case spec.InProgress:
		a.CanWork = r.Run == "interrupted"
	case spec.Completed, spec.Cancelled:
	}
	a.CanApprove, a.CanReject = r.Offers("approve"), r.Offers("reject")
	a.ApproveWord = "Approve"
	if status == spec.Completed {
		a.ApproveWord = "Approve the work"
		if !landed {
			a.Next = next.Merge.On(r.ID).String()
		}
	}
	return a
}

// seenOf identifies what a page shows of a spec and of the work on it.
func seenOf(one pages.Page) string {
	tip := ""
	if one.Work != nil {
		tip = one.Work.To
	}
	data, err := json.Marshal([]any{one.Status, one.Fields, one.Title, one.Body, tip})
	// It has only texts, numbers and lists.
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// maxShownLog is how much of the end of a log a page begins with.
const maxShownLog = 400

// runOf returns what is known of the runs of a spec.
func (s *server) runOf(ctx context.Context, r view.ShowResult) (site.LiveRun, error) {
	out := site.LiveRun{ID: r.ID, State: "Not worked on this machine."}
	switch {
	case r.Run != "":
		out.State = "An agent's run is " + r.Run + onNode(r.Row) + "."
		if r.LastLine != "" {
			out.State += " Its last line: " + r.LastLine
		}
	case r.Node != "":
		out.State = "Its run has ended" + onNode(r.Row) + ": " + r.Fields.Reason
	case r.RetryAt != "":
		out.State = "The next attempt is due at " + r.RetryAt + "."
	case len(r.Attempts) > 0:
		out.State = "No run is under way."
	}
	if r.Usage != nil {
		out.Cost = "Used: " + spentText(r.Usage)
	}
	for _, f := range r.Failed {
		out.Failed = append(out.Failed, site.FailedText{Of: f.Of, Text: strings.Join(f.Lines, "\n")})
	}
	for _, a := range r.Attempts {
		out.Attempts = append(out.Attempts, attemptText(a))
	}
	log, err := view.Log(ctx, s.project, view.LogInput{ID: r.ID, Lines: maxShownLog})
	var e *engine.Error
	// A spec that was never worked has no log.
	if errors.As(err, &e) && e.Code == engine.NotFound {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.HasLog, out.Log, out.Offset, out.Earlier = true, log.Content, log.ByteOffset, log.LineCount == maxShownLog
	return out, nil
}

func attemptText(a view.AttemptView) string {
	out := fmt.Sprintf("Attempt %d, begun %s", a.Number, a.Opened.UTC().Format("2006-01-02 15:04 UTC"))
	if a.Provider != "" {
		out += " with " + a.Provider
	}
	switch {
	case a.Reason != "":
		out += ": " + a.Reason
	case a.Closed:
		out += ": ended"
	case a.Last != "":
		out += ": at the step " + string(a.Last)
	}
	return out
}

// spentText says what agents have used.
func spentText(u *usage.Spending) string {
	parts := []string{strconv.Itoa(u.Agents) + " agent"}
	if u.Agents != 1 {
		parts[0] += "s"
	}
	parts = append(parts, u.Took().Round(time.Second).String())
	if n := u.Input + u.CachedInput + u.CacheWrites + u.Output; n > 0 {
		parts = append(parts, text.Amount(n)+" tokens")
	}
	if u.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("$%.2f", *u.CostUSD))
	}
	if u.CostUSD == nil && u.CostUnknown > 0 {
		parts = append(parts, "cost not known")
	} else if u.CostUnknown > 0 {
		parts = append(parts, fmt.Sprintf("cost of %d not known", u.CostUnknown))
	}
	return strings.Join(parts, ", ")
}

// log answers with what a log has gained behind an offset, as JSON; with status 400 if the log is shorter.
func (s *server) log(w http.ResponseWriter, r *http.Request) {
	offset, err := strconv.ParseInt(r.URL.Query().Get("offset"), 10, 64)
	if err != nil || offset < 0 {
		http.Error(w, "the offset is not a number", http.StatusBadRequest)
		return
	}
	result, err := view.Log(r.Context(), s.project, view.LogInput{ID: r.PathValue("id"), Offset: &offset, Lines: 2000})
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// The client may be gone.
	_ = json.NewEncoder(w).Encode(map[string]any{"content": result.Content, "offset": result.ByteOffset, "more": result.HasMore})
}
