#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-outfile.sh - a log made from another file: all of it, or no file at all
. "$top_srcdir/tests/lib.sh"

cd "$work" || exit 99
# enough to be at work for a second, and past any limit below
awk 'BEGIN {
	srand(3)
	for (i = 0; i < 400000; i++)
		printf "%d %d 7 add 8:1 %d %d 0x%x 0\n", 1000 + i * 300, i % 4,
			1 + rand() * 50, rand() * 1e6, rand() * 1e7
}' | mklog big.mmt || exit 99
echo dev,ino,index >big.csv
awk 'BEGIN { srand(4); for (i = 0; i < 200000; i++)
	print "8:1," int(rand() * 99) "," int(rand() * 1e9) }' >>big.csv
mkdir dir

# make VERB OUT...: each verb with an input of its own
make()
{
	mk_verb=$1
	shift
	case $mk_verb in
	import) mm-log import big.csv -o "$@" ;;
	*) mm-log "$mk_verb" big.mmt -o "$@" ;;
	esac
}

# files: what is in dir, also hidden
files()
{
	find dir -mindepth 1 -printf '%f\n' | sort | tr '\n' ' '
}

for verb in repack anon import; do
	# a limit of 100 KiB: the kernel would end us with SIGXFSZ
	limited()
	{
		(
			ulimit -f 200
			make "$verb" "$@"
		)
	}
	status "$verb: a file size limit" 1 limited dir/new.mmt
	says "$verb: it says so" "dir/new.mmt: File too large"
	is "$verb: nothing is left behind" "$(files)" ""
	echo old >dir/old.mmt
	status "$verb -f: a file size limit" 1 limited dir/old.mmt -f
	is "$verb -f: the old file is there" "$(files) $(cat dir/old.mmt)" \
		"old.mmt  old"

	status "$verb: the file exists" 1 make "$verb" dir/old.mmt
	says "$verb: -f is the hint" "hint: -f replaces it"
	status "$verb -f" 0 make "$verb" dir/old.mmt -f
	is "$verb -f: one file, mode 0600" \
		"$(files)$(stat -c %a dir/old.mmt)" "old.mmt 600"
	status "$verb -f: it is a log" 0 mm-log check dir/old.mmt
	rm dir/old.mmt

	ln -s nowhere dir/link
	for f in "" -f; do
		status "$verb $f: a symbolic link" 1 make "$verb" dir/link $f
		says "$verb $f: what it is" "dir/link: is a symbolic link"
		ok "$verb $f: no hint that does not help" \
			sh -c '! grep "replaces it" "$1"' sh err
		status "$verb $f: a directory" 1 make "$verb" dir $f
		says "$verb $f: what it is" "dir: is a directory"
	done
	is "$verb: the link is left alone" "$(readlink dir/link)" nowhere
	rm dir/link
	status "$verb: no such directory" 1 make "$verb" no/new.mmt
	status "$verb: a name that ends in /" 1 make "$verb" dir/new/
	is "$verb: still nothing" "$(files)" ""
done

# -------------------------------------------------------------------- signals
# killed HOW VERB: ends the verb with TERM while it is at work; its status
killed()
{
	kl_verb=$2
	echo old >dir/old.mmt
	"$1" mm-log "$kl_verb" -f --level 19 big.mmt -o dir/old.mmt \
		>/dev/null 2>&1 &
	kl_pid=$!
	for kl_try in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.05
		[ "$1" = with_name ] || break
		[ -n "$(find dir -name '.mmt-*')" ] && break
	done
	kill -TERM $kl_pid
	wait $kl_pid
	kl_status=$?
}

plain()
{
	exec "$@"
}

# without /proc no file can be given a name later, so it has one at once
with_name()
{
	exec unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"
}

for how in plain with_name; do
	if [ $how = with_name ] && ! (with_name true) 2>/dev/null; then
		skip "temporary names" "no mounts in a namespace of our own"
		continue
	fi
	for verb in repack anon; do
		killed $how $verb
		is "$verb, $how: ended by the signal" $kl_status 143
		is "$verb, $how: only the old file is there" \
			"$(files) $(cat dir/old.mmt)" "old.mmt  old"
		rm -f dir/old.mmt
	done
done

# a sanitizer reads its options and looks for leaks by /proc
if (with_name true) 2>/dev/null && ! (with_name mm-log --version) >/dev/null 2>&1
then
	skip "temporary names, to the end" "a sanitizer needs /proc"
elif (with_name true) 2>/dev/null; then
	named()
	{
		(with_name "$@")
	}
	status "temporary name: repack" 0 \
		named mm-log repack big.mmt -o dir/new.mmt
	is "temporary name: one file" "$(files)" "new.mmt "
	status "temporary name: the file exists" 1 \
		named mm-log anon big.mmt -o dir/new.mmt
	status "temporary name: -f" 0 named mm-log anon -f big.mmt -o dir/new.mmt
	is "temporary name: one file again" "$(files)" "new.mmt "
	status "temporary name: it is a log" 0 mm-log check dir/new.mmt
	rm dir/new.mmt
fi

# ------------------------------------------------------------------ full disk
full()
{
	unshare -m sh -c 'mount -t tmpfs -o size=200k none dir || exit 77
		"$@"; status=$?; ls -A dir; exit $status' sh "$@"
}

if full true 2>/dev/null; then
	for verb in repack anon; do
		status "$verb: a full disk" 1 \
			full mm-log $verb big.mmt -o dir/new.mmt
		says "$verb: it says so" "dir/new.mmt: No space left on device"
		is "$verb: nothing on it" "$(cat out)" ""
	done
	status "import: a full disk" 1 full mm-log import big.csv -o dir/new.mmt
	says "import: it says so" "dir/new.mmt: No space left on device"
else
	skip "a full disk" "no mounts in a namespace of our own"
fi
finish
