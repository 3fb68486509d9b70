package stats

import (
	"cmp"
	"slices"
)

// Flaky is a criterion whose outcome has changed.
type Flaky struct {
	Spec      string `json:"spec"`
	Criterion string `json:"criterion"`
	Checks    int    `json:"checks"`    // how often it was checked
	Failed    int    `json:"failed"`    // how many of these failed
	SameTree  int    `json:"same_tree"` // changes on the same tree: it depends on something else
	Broke     int    `json:"broke"`     // changes from passed to failed between attempts
	Fixed     int    `json:"fixed"`     // changes from failed to passed between attempts
}

// flakyOf lists the criteria whose outcome changed in a period, the flakiest first.
func flakyOf(journals []Journal, p Period) []Flaky {
	out := []Flaky{}
	for _, j := range journals {
		by := map[string][]Outcome{}
		for _, o := range j.Outcomes {
			if p.hasUnix(o.At) {
				by[o.Criterion] = append(by[o.Criterion], o)
			}
		}
		for criterion, list := range by {
			one := Flaky{Spec: j.ID, Criterion: criterion}
			one.count(list)
			if one.SameTree+one.Broke+one.Fixed > 0 {
				out = append(out, one)
			}
		}
	}
	slices.SortFunc(out, func(a, b Flaky) int {
		return cmp.Or(
			cmp.Compare(b.SameTree, a.SameTree), cmp.Compare(b.Broke, a.Broke), cmp.Compare(b.Fixed, a.Fixed),
			cmp.Compare(a.Spec, b.Spec), cmp.Compare(a.Criterion, b.Criterion),
		)
	})
	return out
}

// count adds the outcomes of one criterion, in the order of time.
func (f *Flaky) count(list []Outcome) {
	onTree := map[string]bool{}
	for i, o := range list {
		f.Checks++
		if !o.Holds {
			f.Failed++
		}
		if o.Retried {
			f.SameTree++
		}
		last, known := onTree[o.Tree]
		if known && o.Tree != "" && last != o.Holds {
			f.SameTree++
		} else if i > 0 && list[i-1].Attempt != o.Attempt && list[i-1].Holds != o.Holds {
			if o.Holds {
				f.Fixed++
			} else {
				f.Broke++
			}
		}
		onTree[o.Tree] = o.Holds
	}
}
