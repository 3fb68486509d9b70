package overview

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/record"
)

// This file sums up the journals of runs for statistics: attempts, sessions of agents and outcomes of criteria.
//
// The index keeps the sum of each journal with the stamp of its file, so that later calls read only journals that have
// grown since. Without the index, each call reads all of them.
//
// Rules:
//
//   - It is for what is shown, never for a decision: anything on this machine may have written to a journal or the index.
//   - Only criteria that were run or judged have outcomes: a box is ticked once, which is no change of an outcome.
//
// Decisions:
//
// 2026-11-26: the sum of a journal is one value in the index, with everything in it by time. Rejected: sums by week, which
// are smaller but cannot answer for a period that begins in the middle of a week.

// stored is a sum as the index keeps it.
type stored struct {
	Stamp   disk.Stamp
	Journal Journal
}

// tallyKind names the values in the index. Its number changes when the same journal gives another sum; the format of the
// value is part of it.
func tallyKind() string { return "tally 1 " + record.Format(stored{}) }

// worthStoring is the number of journals that were read with which the index is made if there is none.
const worthStoring = 50

// TallyAll returns the sums of all journals, in the order of the ids.
func TallyAll(ctx context.Context, q *store.Query, now time.Time) ([]Journal, error) {
	files, err := q.JournalFiles()
	if err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(files))
	name := tallyKind()
	// Without the index, all journals are read.
	values, _ := q.View.Values(name, ids...)
	out := make([]Journal, len(ids))
	var unread []int
	for i, id := range ids {
		// The sum of a journal that has grown since does not count.
		if known, ok := decode(values[id]); ok && known.Stamp == disk.FromInfo(files[id]) {
			out[i] = known.Journal
		} else {
			unread = append(unread, i)
		}
	}
	if err := readAll(ctx, q, ids, unread, out); err != nil {
		return nil, err
	}
	if len(unread) > 0 && q.MayStore(min(len(unread), worthStoring)*2) {
		put(q, name, ids, unread, files, out, now)
	}
	return out, nil
}

// decode reads a stored sum; ok is false for anything else, and for nothing.
func decode(data []byte) (known stored, ok bool) {
	return known, len(data) > 0 && record.Decode(string(data), &known) == nil && known.Stamp.Known()
}

// put stores sums of journals whose files will have another stamp after the next write.
func put(q *store.Query, name string, ids []string, unread []int, files map[string]fs.FileInfo, sums []Journal, now time.Time) {
	for _, i := range unread {
		// A file that was written within the resolution of its time could change again without another stamp.
		if at := disk.FromInfo(files[ids[i]]); at.Settled(now) {
			q.Batch.Put(name, ids[i], record.Encode(stored{at, sums[i]}))
		}
	}
}

// readAll reads journals with a few goroutines.
func readAll(ctx context.Context, q *store.Query, ids []string, unread []int, out []Journal) error {
	const width = 4
	errs := make([]error, width)
	var running sync.WaitGroup
	for w := range width {
		running.Go(func() {
			for k := w; k < len(unread) && errs[w] == nil && ctx.Err() == nil; k += width {
				i := unread[k]
				var lines [][]byte
				if lines, errs[w] = q.Records(ids[i]); errs[w] == nil {
					out[i] = Sum(ids[i], lines)
				}
			}
		})
	}
	running.Wait()
	return errors.Join(append(errs, context.Cause(ctx))...)
}

// Sum returns the sum of the records of a journal. Lines that are no records are skipped.
func Sum(id string, lines [][]byte) Journal {
	out := Journal{ID: id}
	h := journal.Read(lines)
	for i, a := range h.Attempts {
		if a.Commit != "" && out.Tries == 0 {
			out.Tries = i + 1
		}
		for _, s := range a.Sessions {
			out.Sessions = append(out.Sessions, sessionOf(a, s))
		}
	}
	var last time.Time
	for _, line := range lines {
		var rec journal.Record
		// A line that was cut off by a crash is no record.
		if json.Unmarshal(line, &rec) != nil || rec.Step != journal.Verify || rec.State != journal.Done {
			continue
		}
		var r criteria.Report
		// A report is recorded again when it was accepted.
		if json.Unmarshal(rec.Data, &r) != nil || !r.At.IsZero() && r.At.Equal(last) {
			continue
		}
		last = r.At
		out.Outcomes = append(out.Outcomes, outcomesOf(rec, r)...)
	}
	return out
}

func sessionOf(a *journal.Attempt, s journal.Session) Session {
	one := Session{
		Provider: cmp.Or(s.Provider, a.Taken.Provider, a.Job.Provider), Model: cmp.Or(a.Taken.Model, a.Job.Model),
		At: s.Told.Unix(), Seconds: s.Seconds, CostUnknown: true, TokensUnknown: true,
	}
	if s.Spent == nil {
		return one
	}
	one.Model = cmp.Or(s.Spent.Model, one.Model)
	if s.Spent.CostUSD != nil {
		one.CostUSD, one.CostUnknown = *s.Spent.CostUSD, false
	}
	if u := s.Spent.Usage; u != nil {
		one.Input, one.Cached, one.Written, one.Output = u.Input, u.CachedInput, u.CacheWrites, u.Output
		one.TokensUnknown = u.Partial
		one.CostUnknown = one.CostUnknown || u.Partial
	}
	return one
}

func outcomesOf(rec journal.Record, r criteria.Report) []Outcome {
	var out []Outcome
	for _, v := range r.Criteria {
		// A box is ticked once, which is no change of an outcome.
		if v.How == criteria.ByBox {
			continue
		}
		out = append(out, Outcome{Criterion: v.Text, At: rec.Time.Unix(), Attempt: rec.Attempt, Tree: r.Tree, Holds: v.Holds, Retried: v.Flaky})
	}
	return out
}
