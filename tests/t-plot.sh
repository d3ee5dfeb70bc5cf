#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-plot.sh - mm-plot: golden scripts and texts, hostile labels, failures
. "$top_srcdir/tests/lib.sh"

data=$(cd "$top_srcdir/tests/data/plot" && pwd)
plot=$top_builddir/plot/mm-plot
version=$("$plot" --version)
cd "$work" || exit 99

# files DIR: all names in it, hidden ones too, on one line
files()
{
	(cd "$1" && find . ! -type d) | sort | sed 's,^\./,,' | tr '\n' ' '
}

# magic FILE PATTERN: the file's first bytes
magic()
{
	head -c 200 "$1" | tr -d '\000' | grep -q -e "$2"
}

# small FILE: fits a mailing list
small()
{
	[ "$(wc -c <"$1")" -lt 102400 ]
}

# missing DESCRIPTION PATH: there is no such thing
missing()
{
	[ ! -e "$2" ]
	result $? "$1"
}

# hostile FILE: a table whose labels, kernels and files are all hostile
hostile()
{
	awk -v q='"' '
		{ label[NR] = $0 }
		END {
			print "# mm-reuse 0.1 table mrc/1"
			for (i = 1; i <= NR; i++)
				print "# " label[i] ": " label[i] " kernel " \
					label[i] " sampling " label[i] \
					" events 1 lost " label[i]
			printf "# memory_max_bytes:"
			for (i = 1; i <= NR; i++)
				printf " %s=%d", label[i], 65536 * i
			printf "\ncache_pages,cache_bytes"
			for (i = 1; i <= NR; i++) {
				name = label[i]
				gsub(q, q q, name)
				printf ",%s%s_miss_ratio%s", q, name, q
			}
			print ""
			for (k = 1; k < 9; k++) {
				printf "%d,%d", k, 4096 * 2 ^ k
				for (i = 1; i <= NR; i++)
					printf ",%.3f", 1 - (k + i) / 40
				print ""
			}
		}' "$1"
}

# ------------------------------------------------- what is drawn, to the byte
for t in mrc distance; do
	stem=$([ $t = mrc ] && echo reuse-mrc || echo refault-distance)
	status "$t: drawn as text" 0 "$plot" -t txt -o g "$data/$t.csv"
	is "$t: says what it wrote" "$(cat out)" "g/$stem.gp
g/$stem.txt"
	for suffix in gp txt; do
		sed "s/$version/mm-plot VERSION/" g/$stem.$suffix >got
		same "$t: golden $suffix" got "$data/$t.$suffix"
	done
	text "$t" g/$stem.txt
	tr -s ' ' <g/$stem.txt >squeezed
	is "$t: squeezed blanks leave all rows" \
		"$(grep -c '|.\{66\}|$' squeezed)" 17
done
status "-t gp: the script only" 0 "$plot" -t gp -o gp "$data/mrc.csv"
is "-t gp: one file" "$(files gp)" "reuse-mrc.gp "
status "no -o: here" 0 "$plot" -t txt --stem 'a b' "$data/mrc.csv"
ok "no -o: files" test -f 'a b-mrc.gp' -a -f 'a b-mrc.txt'
status "stdin is a table" 0 "$plot" -t txt -o stdin - <"$data/mrc.csv"

status "zeros and gaps" 0 "$plot" -t txt -o z "$data/zeros.csv"
for words in '1 row at size 0 drawn as the left edge' \
	'1 row without a size left out' 'a: 1 missing value left out' \
	'b: no value'; do
	ok "zeros: says '$words'" grep -qF "$words" z/refault-distance.txt
done

awk 'BEGIN {
	print "# mm-reuse 0.1 table mrc/1"
	print "cache_bytes,a_miss_ratio,b_miss_ratio"
	for (i = 1; i < 40000; i++)
		printf "%d,%.6f,%.6f\n", 4096 * i, 1 - i / 4e4, (1 - i / 4e4)^2
}' >big.csv
status "40 000 points" 0 "$plot" -t txt -o big big.csv
ok "40 000 points: thinned" small big/reuse-mrc.gp
ok "40 000 points: said" grep -q 'of 39999 points drawn' big/reuse-mrc.txt

# --------------------------------------------------------- nothing half, ever
status "empty table: exit 1" 1 "$plot" -o empty "$data/empty.csv"
is "empty table: one line" "$(cat err)" \
	"mm-plot: $data/empty.csv: nothing to draw: table distance has no rows"
missing "empty table: no file" empty

for cell in foo nan inf 0.5x; do
	sed "s/0.980000/$cell/" "$data/mrc.csv" >cell.csv
	status "a share that is $cell" 1 "$plot" -o cell cell.csv
	says "a share that is $cell: says so" \
		"base_miss_ratio in row 2 is $cell, not a share"
	missing "a share that is $cell: no file" cell
done

sed 's/0.980000/1.5/' "$data/mrc.csv" >bad.csv
status "a share above 1" 1 "$plot" -o bad bad.csv
says "a share above 1: says so" \
	"base_miss_ratio in row 2 is 1.5, not a share from 0 to 1"
sed 's/table mrc/table summary/' "$data/mrc.csv" >bad.csv
status "a table without a chart" 1 "$plot" -o bad bad.csv
says "a table without a chart: hint" "hint: mm-plot draws table mrc"
sed 's,mrc/1,mrc/2,' "$data/mrc.csv" >bad.csv
status "a newer table" 1 "$plot" -o bad bad.csv
printf 'a,b\n1,2\n' >bad.csv
status "not ours" 1 "$plot" -o bad bad.csv
says "not ours: says so" "bad.csv: not a table"
status "no such file" 1 "$plot" -o bad nothing.csv
says "no such file: says so" "mm-plot: nothing.csv: No such file"
missing "no file from bad tables" bad

mkdir link && ln -s "$work/target" link/reuse-mrc.txt
status "a symlink in the way" 1 "$plot" -t txt -o link "$data/mrc.csv"
says "a symlink: says so" "link/reuse-mrc.txt: is a symbolic link"
missing "a symlink: not followed" target
is "a symlink: no temporary file" "$(files link)" \
	"reuse-mrc.gp reuse-mrc.txt "

status "no table: usage" 2 "$plot"
says "no table: says so" "mm-plot: no table is named"
status "unknown type: usage" 2 "$plot" -t pgn "$data/mrc.csv"
says "unknown type: nearest" "hint: did you mean 'png'?"
status "stem with a slash: usage" 2 "$plot" --stem ../x "$data/mrc.csv"
status "unknown option: usage" 2 "$plot" --tipe png "$data/mrc.csv"
says "unknown option: nearest" "hint: did you mean --type?"
status "a value too much: usage" 2 "$plot" --help=X
says "a value too much: says so" "mm-plot: option --help takes no value"
status "empty stem: usage" 2 "$plot" --stem "" "$data/mrc.csv"
says "empty stem: says so" "mm-plot: --stem: its value is empty"
status "--help" 0 "$plot" --help
ok "--help on stdout" grep -q '^usage: mm-plot' out
text "--help" out
if [ -w /dev/full ]; then
	"$plot" -t gp -o full "$data/mrc.csv" >/dev/full 2>err
	is "stdout full: exit 1" $? 1
else
	skip "stdout full" "no /dev/full"
fi

# ----------------------------------------------------------- without gnuplot
mkdir none
status "no gnuplot: exit 0 for the text" 0 env PATH="$work/none" \
	"$plot" -o nog "$data/mrc.csv"
says "no gnuplot: says so" "mm-plot: gnuplot: not found, so no png and svg"
says "no gnuplot: hint" "gnuplot -c nog/reuse-mrc.gp svg out.svg"
is "no gnuplot: what is there" "$(files nog)" "reuse-mrc.gp reuse-mrc.txt "
status "no gnuplot, png wanted: exit 1" 1 env PATH="$work/none" \
	"$plot" -t png -o nog2 "$data/mrc.csv"
is "no gnuplot, png wanted: the script" "$(files nog2)" "reuse-mrc.gp "

mkdir failing
printf '#!/bin/sh\necho half\nprintf "bad \\033[1m thing\\n" >&2\nexit 3\n' \
	>failing/gnuplot
chmod +x failing/gnuplot
status "gnuplot fails: exit 1" 1 env PATH="$work/failing:$PATH" \
	"$plot" -o fail "$data/mrc.csv"
says "gnuplot fails: its words, escaped" \
	'mm-plot: gnuplot: bad \x1b[1m thing'
says "gnuplot fails: its status" "mm-plot: png: gnuplot: exit status 3"
is "gnuplot fails: no half file" "$(files fail)" "reuse-mrc.gp reuse-mrc.txt "

# -------------------------------------------------------------- with gnuplot
if ! command -v gnuplot >/dev/null; then
	skip "pictures" "gnuplot is not installed"
	skip "hostile labels" "gnuplot is not installed"
	finish
fi
for t in mrc distance; do
	stem=$([ $t = mrc ] && echo reuse-mrc || echo refault-distance)
	status "$t: drawn" 0 "$plot" -o p "$data/$t.csv"
	is "$t: gnuplot is silent" "$(cat err)" ""
	ok "$t: a PNG" magic p/$stem.png PNG
	ok "$t: an SVG" magic p/$stem.svg '<svg'
	ok "$t: a small PNG" small p/$stem.png
	ok "$t: a small SVG" small p/$stem.svg
	(cd / && gnuplot -c "$work/p/$stem.gp" svg "$work/again.svg")
	same "$t: redrawn from anywhere" again.svg p/$stem.svg
done
gnuplot p/reuse-mrc.gp >plain.svg 2>/dev/null
ok "plain gnuplot SCRIPT works" magic plain.svg '<svg'
sed 's/ pngcairo / nothing /' p/reuse-mrc.gp >nocairo.gp
ok "no pngcairo: png" gnuplot -c nocairo.gp png nocairo.png
ok "no pngcairo: a PNG" magic nocairo.png PNG
sed 's/ png / nothing /' nocairo.gp >nopng.gp
status "no png at all: fails" 1 gnuplot -c nopng.gp png nopng.png
says "no png at all: in words" "this gnuplot can write no png, use svg"
status "40 000 points: drawn" 0 "$plot" -o big big.csv
ok "40 000 points: a small SVG" small big/reuse-mrc.svg

# Every hostile text is label, kernel, file and limit; nothing may run.
{
	cat "$data/hostile-labels.txt"
	printf '%s\n' 'END_OF_DATA' '$(touch pwn7)' 'back\' '@ARG1 `touch pwn8`' \
		"'" "''; !touch pwn9 #" "'; system('touch pwn10') #" \
		"''; system('touch pwn11'); ''"
	printf 'esc\033[31m \177 \303\244\n'
} >labels
hostile labels >hostile.csv
mkdir h
(
	cd h || exit 1
	"$plot" ../hostile.csv >../out 2>../err
)
is "hostile labels: exit 0" $? 0
is "hostile labels: gnuplot is silent" "$(cat err)" ""
is "hostile labels: only our files" "$(files h)" \
	"reuse-mrc.gp reuse-mrc.png reuse-mrc.svg reuse-mrc.txt "
text "hostile labels" h/reuse-mrc.txt
ok "hostile labels: shown as they are" grep -qF '`touch pwn1`' h/reuse-mrc.svg
ok "underscores stay" grep -qF mm_filemap_add_to_page_cache h/reuse-mrc.svg
ok "only ASCII in the script" sh -c '! LC_ALL=C grep -q "[^ -~	]" h/reuse-mrc.gp'
mkdir d
(
	cd d || exit 1
	for dir in '|touch pwn' '<touch pwn' '-x' "q' d" '~'; do
		"$plot" -o "$dir" --stem '`touch pwn`' ../hostile.csv || exit 1
		[ -s "$dir/\`touch pwn\`-mrc.svg" ] || exit 1
	done >../out 2>../err
)
is "hostile directories and stems: drawn" $? 0
is "hostile names: nothing ran" "$(find . -name 'pwn*')" ""

finish
