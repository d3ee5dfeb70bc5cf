# A chart by mm-plot VERSION.  To redraw it:
#   gnuplot -c THIS-FILE png out.png
#   gnuplot -c THIS-FILE svg out.svg
Q = sprintf('%c', 39)
fmt = exists('ARGC') && ARGC >= 1 ? ARG1 : 'svg'
if (fmt eq 'svg') {
	set terminal svg size 960,600 noenhanced font 'DejaVu Sans,Helvetica,sans-serif,14' background '#ffffff'
} else {
	if (fmt ne 'png') {
		exit error 'unknown format, use png or svg'
	}
	if (strstrt(GPVAL_TERMINALS, ' pngcairo ')) {
		set terminal pngcairo size 960,600 noenhanced font 'DejaVu Sans,12' background '#ffffff'
	} else {
		if (!strstrt(GPVAL_TERMINALS, ' png ')) {
			exit error 'this gnuplot can write no png, use svg'
		}
		set terminal png size 960,600 noenhanced background '#ffffff'
	}
}
if (exists('ARGC') && ARGC >= 2) {
	set output ARG2
}
$data << END_OF_DATA
8192 0.0000 0.0000
12288 0.0000 2.0000
2867200 20.0000 25.0000
20480000 60.0000 45.0000
40955904 100.0000 75.0000
57344000 100.0000 100.0000
134217728 100.0000 100.0000
END_OF_DATA
set linetype 1 lc rgb '#0072b2' lw 2.5 dt 1
set linetype 2 lc rgb '#d55e00' lw 2.5 dt (12,4)
set border 3 lw 1 lc rgb '#444444'
set grid lt 0 lw 1 lc rgb '#bbbbbb'
set tics nomirror out scale 0.6 tc rgb '#444444'
set title font ',15'
set key inside top left Left reverse samplen 3 spacing 1.2
set bmargin 5.4
set rmargin 4
set title 'Refault distance, cumulative'
set xlabel 'refault distance'
set ylabel 'refaults (%)'
set logscale x 2
set xrange [2.0**13*0.9999:2.0**27*1.0001]
set yrange [0:100]
set xtics ('8 KiB' 2.0**13, '32 KiB' 2.0**15, '128 KiB' 2.0**17, '512 KiB' 2.0**19, '2 MiB' 2.0**21, '8 MiB' 2.0**23, '32 MiB' 2.0**25, '128 MiB' 2.0**27)
set arrow 1 from 33554432, graph 0 to 33554432, graph 1 nohead lc rgb '#444444' dt (2,3) lw 1
set label 1 'old memory limit 32 MiB' at 33554432, graph 0.96 right offset -0.8,0 tc rgb '#444444'
set arrow 2 from 67108864, graph 0 to 67108864, graph 1 nohead lc rgb '#444444' dt (2,3) lw 1
set label 2 'new memory limit 64 MiB' at 67108864, graph 0.10 right offset -0.8,0 tc rgb '#444444'
set label 101 'mm-refault 0.1, mm-plot VERSION | lost 0 | not sampled | kernel 6.1.0-42-amd64' at screen 0.012,0.025 left font ',10' tc rgb '#666666'
plot $data using 1:2 with steps lt 1 title 'old', \
     $data using 1:3 with steps lt 2 title 'new'
