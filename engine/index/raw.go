package index

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// each calls a function for the rows of a query, past database/sql, which copies each value once more: segments and
// vectors of code are megabytes. The bytes of a row belong to the function: a driver writes to none that it has returned.
func (v *View) each(query string, args []any, row func([]driver.Value) error) error {
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	return v.conn.Raw(func(conn any) error {
		queryer, ok := conn.(driver.QueryerContext)
		if !ok {
			return fmt.Errorf("a connection of type %T answers no query", conn)
		}
		rows, err := queryer.QueryContext(v.ctx, query, named)
		if err != nil {
			return err
		}
		return errors.Join(eachOf(rows, row), rows.Close())
	})
}

func eachOf(rows driver.Rows, row func([]driver.Value) error) error {
	for {
		values := make([]driver.Value, len(rows.Columns()))
		if err := rows.Next(values); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := row(values); err != nil {
			return err
		}
	}
}

// dataOf returns what was sealed in a column.
func dataOf(column driver.Value) ([]byte, error) {
	sealed, _ := column.([]byte) // anything else was not sealed
	return unseal(sealed)
}
