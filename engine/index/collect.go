package index

import "errors"

// keptDays is for how many days blobs and places are kept that no query has used: those of branches that are gone, and
// of commits that no branch has any longer.
const keptDays = 14

// maxSize limits the file, in bytes. A larger one is set aside.
const maxSize = 512 << 20

// errTooLarge means that the file has outgrown maxSize.
var errTooLarge = errors.New("the index is too large")

// collect removes what no query has used for long, once a day.
func (u update) collect(day int64) error {
	var last, size int64
	if err := u.tx.QueryRowContext(u.ctx, "SELECT collected FROM meta").Scan(&last); err != nil || last == day {
		return err
	}
	for _, table := range []string{"blob", "place"} {
		if err := u.exec("DELETE FROM "+table+" WHERE seen < ?", day-keptDays); err != nil {
			return err
		}
	}
	if err := u.tx.QueryRowContext(u.ctx, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&size); err != nil {
		return err
	}
	if size > maxSize {
		return errTooLarge
	}
	return u.exec("UPDATE meta SET collected = ?", day)
}
