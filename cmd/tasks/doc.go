// Package tasks contains the commands about tasks and sprints: `chant task`, `chant sprint` and `chant whoami`.
//
// It binds flags to the inputs of operations and renders their results. It decides nothing about tasks.
//
// # Decisions
//
// 2026-11-23: plots on a terminal are drawn by asciigraph, which is maintained, small, and does no work when the program
// starts. Rejected: ntcharts, whose canvases are made for programs with a screen of their own.
//
// 2026-11-23: charts in files are written as SVG by chant itself: lines, bars, axes and names. Rejected:
// go-analyze/charts, which adds more than 3 MB to the program and tables to each start, of which chant would use two kinds
// of charts.
package tasks
