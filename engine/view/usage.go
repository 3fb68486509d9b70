package view

import (
	"time"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/usage"
)

// countUsage adds up what agents have used today, and in all when that is wanted: then
// every journal is read.
func countUsage(p *engine.Project, r *StatusResult, inAll bool) error {
	day := usage.Midnight(p.Now())
	since := day
	if inAll {
		since = time.Time{}
	}
	journals, err := p.Store.Journals(since)
	if err != nil {
		return err
	}
	var today, all usage.Spending
	for id := range journals {
		h, err := journal.ReadHistory(p.Store, id)
		if err != nil {
			return err
		}
		all, today = all.Plus(usage.UsageOf(h, time.Time{})), today.Plus(usage.UsageOf(h, day))
	}
	if today.Agents > 0 {
		r.Today, r.Limit = &today, p.Config.Limits.Day.Met("day", today.Use(), today.Took())
	}
	if inAll {
		r.Usage = &all
	}
	return nil
}
