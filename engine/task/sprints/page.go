package sprints

import "strconv"

// Page selects part of a list.
type Page struct {
	Limit  *int `json:"limit,omitempty" jsonschema:"Maximum number of entries"`
	Cursor *int `json:"cursor,omitempty" jsonschema:"Where the page begins: nextCursor of the page before"`
	Offset *int `json:"offset,omitempty" jsonschema:"The same as cursor"`
}

// Paging says which part of a list a result is.
type Paging struct {
	Count      int  `json:"count"`
	Total      int  `json:"total"`
	Cursor     int  `json:"cursor"`
	Limit      int  `json:"limit"`
	HasMore    bool `json:"hasMore"`
	NextCursor *int `json:"nextCursor"`
}

// maxCursor is the last entry at which a page may begin.
const maxCursor = 5000

// check returns the paging of a list without its counts.
func (in Page) check(preset, most int) (Paging, error) {
	out := Paging{Limit: preset}
	if in.Limit != nil {
		if out.Limit = *in.Limit; out.Limit < 1 || out.Limit > most {
			return out, refuseWith(map[string]any{"field": "limit", "provided": out.Limit}, "limit must be between 1 and %d", most)
		}
	}
	cursor := in.Cursor
	if cursor == nil {
		cursor = in.Offset
	}
	if cursor == nil {
		return out, nil
	}
	switch out.Cursor = *cursor; {
	case out.Cursor < 0:
		return out, refuseWith(map[string]any{"field": "cursor", "provided": out.Cursor}, "cursor must be a positive integer")
	case out.Cursor > maxCursor:
		return out, refuseWith(map[string]any{"field": "cursor", "provided": out.Cursor}, "cursor must be <= %d", maxCursor)
	}
	return out, nil
}

// cut returns the part of a list that a page selects, never nil, and completes the paging.
func cut[T any](all []T, paging *Paging) []T {
	from := min(paging.Cursor, len(all))
	to := min(from+paging.Limit, len(all))
	paging.Count, paging.Total, paging.HasMore = to-from, len(all), to < len(all)
	if paging.HasMore {
		paging.NextCursor = &to
	}
	// JSON has [] for an empty list, not null.
	return append([]T{}, all[from:to]...)
}

func itoa(n int) string { return strconv.Itoa(n) }
