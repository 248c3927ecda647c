# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# What the job's ranks on one node are doing, looked at twice, behind node-ranks.sh run as `bash -c PROGRAM rankwright JOB
# DEEP_NODES RAS_NODES GAP_MS MOST_BYTES MOST_SECONDS` (docs/where.md has the lines that it prints). On nodes of DEEP_NODES
# (with commas; "all") stacks and records are asked for, too, on those of RAS_NODES the RAS of NCCL or RCCL. MOST_BYTES is
# what the texts of this node may take.
#
# It writes no file, and does nothing to a process but what that process is made for: py-spy reads it, a byte in the pipe
# of its Flight Recorder has it write its record, and a signal is sent only where it has set RANKWRIGHT_STACKS to that
# signal's number, has a handler for it, and has a file open whose name begins with rankwright-stacks: all three.
#
# bash 4.1 and newer with /dev/tcp, awk, base64, dd, find, getconf, gzip, head, od, stat, tail, timeout; py-spy where it is
# there. Nothing is substituted.

export LC_ALL=C
job=${SLURM_JOB_ID:-$1} deep_nodes=$2 ras_nodes=$3 gap_ms=${4:-3000} bytes_left=${5:-4000000} most_seconds=${6:-14}
root='' sluid=$SLURM_JOB_SLUID
node=${SLURMD_NODENAME:-$HOSTNAME}

longest_piece=720 # characters of a text in one line: srun hands on lines of less than 1024 bytes in one piece
most_text_bytes=8388608 # of one record or answer, before it is packed
most_ranks=256

# ---- Lines ----------------------------------------------------------------------------------------------------------

# One line of cells: KIND CELL...
say() {
  local line="@rw-hang $node $now_ms $1;" cell
  for cell in "${@:2}"; do
    cell=${cell:0:200} cell=${cell//[[:cntrl:]]/ } cell=${cell//%/%25}
    line+="${cell//;/%3B};"
  done
  printf '%s\n' "$line" || exit
}

say_note() { say note "$1" "$2"; } # of a process, or of the node where $1 is empty

# Reads a text from standard input into `value`: packed, in letters.
pack() { head -c $most_text_bytes | gzip -cn | base64 -w 0; }

# Sends a packed text of a process (0: of the node): PROCESS NAME PACKED.
send_text() {
  local process=$1 name=$2 packed=$3 at count=0
  if [ ${#packed} -gt "$bytes_left" ]; then
    say_note "$process" "$name was left out: it is too large"
    return
  fi
  bytes_left=$((bytes_left - ${#packed}))
  for ((at = 0; at < ${#packed}; at += longest_piece)); do
    printf '@rw-hang %s %s piece;%s;%s;%s;%s;\n' "$node" "$now_ms" "$process" "$name" $((count++)) "${packed:at:longest_piece}" || exit
  done
  say text "$process" "$name" $count
}

# The same where it is the second of two: an equal one is not sent again. PROCESS NAME PACKED NAME_BEFORE PACKED_BEFORE.
send_second_text() {
  if [ "$3" = "$5" ]; then say same "$1" "$2" "$4"; else send_text "$1" "$2" "$3"; fi
}

pause() { # milliseconds
  local seconds
  [ "$1" -gt 0 ] || return
  printf -v seconds '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
  read -r -t "$seconds" -u "$silent_pipe" _
}

is_listed() { case ,$1, in ,all, | *,"$node",*) return 0 ;; *) return 1 ;; esac; }

# ---- The processes --------------------------------------------------------------------------------------------------

# By process, of the ranks alone: what their environments say.
declare -A stack_signal=() record_pipe=() record_prefixes=() ras_address=() search_path=()
declare -A members=() # all processes of the rank
declare -A first_text=() # "PROCESS NAME" -> packed
ranks=() # their processes

# The lines of processes: sets `ranks` and `members`.
find_ranks() {
  local top process found group_ticks tasks_may_be_ranks
  scan_processes
  group_ranks
  for top in "${!group_of[@]}"; do
    find_rank_process "$top"
    [ "$found" ] || continue
    if [ ${#ranks[@]} -ge $most_ranks ]; then
      say_note '' "there are more than $most_ranks ranks on this node"
      break
    fi
    ranks+=("$found")
    members[$found]=${group_of[$top]}
  done
  say begin ${#ranks[@]} ${#starters[@]}
  for process in "${ranks[@]}"; do
    read_command "$process"
    say rank "$process" "${rank_of[$process]}" "${local_rank[$process]}" "${world_size[$process]}" "$value"
  done
}

read_command() {
  local word words=''
  while IFS= read -r -d '' word && [ ${#words} -lt 200 ]; do words+="${words:+ }$word"; done <"/proc/$1/cmdline"
  value=${words:0:200}
} 2>/dev/null

# What the ranks' environments say of how they may be asked.
read_settings() {
  local process line name text home cache new_prefix old_prefix
  for process in "${ranks[@]}"; do
    home='' cache='' new_prefix='' old_prefix=''
    while IFS= read -r -d '' line; do
      name=${line%%=*} text=${line#*=}
      case $name in
        RANKWRIGHT_STACKS) stack_signal[$process]=$text ;;
        TORCH_FR_DEBUG_INFO_PIPE_FILE | TORCH_NCCL_DEBUG_INFO_PIPE_FILE) record_pipe[$process]=$text ;;
        TORCH_FR_DUMP_TEMP_FILE) new_prefix=$text ;;
        TORCH_NCCL_DEBUG_INFO_TEMP_FILE) old_prefix=$text ;;
        NCCL_RAS_ADDR) ras_address[$process]=$text ;;
        XDG_CACHE_HOME) cache=$text ;;
        HOME) home=$text ;;
        PATH) search_path[$process]=$text ;;
      esac
    done <"/proc/$process/environ"
    # where PyTorch writes without being told: docs/where.md
    cache=${cache:-$home/.cache}
    record_prefixes[$process]=$new_prefix$'\n'$old_prefix$'\n'$cache/torch/comm_lib_trace_rank_$'\n'/tmp/nccl_trace_rank_
  done
} 2>/dev/null

# The names of system calls that wait, where their numbers are not those of x86-64.
name_call() { # sets value
  value=''
  case $HOSTTYPE/$1 in
    aarch64/22) value=epoll_pwait ;;
    aarch64/25) value=fcntl ;;
    aarch64/32) value=flock ;;
    aarch64/56) value=openat ;;
    aarch64/63) value='read' ;;
    aarch64/64) value='write' ;;
    aarch64/65) value=readv ;;
    aarch64/67) value=pread64 ;;
    aarch64/72) value=pselect6 ;;
    aarch64/73) value=ppoll ;;
    aarch64/79) value=newfstatat ;;
    aarch64/82) value=fsync ;;
    aarch64/95) value=waitid ;;
    aarch64/98) value=futex ;;
    aarch64/101) value=nanosleep ;;
    aarch64/115) value=clock_nanosleep ;;
    aarch64/207) value=recvfrom ;;
    aarch64/212) value=recvmsg ;;
    aarch64/260) value=wait4 ;;
  esac
}

# What /proc says of each rank now. MOMENT: 1 or 2.
look() {
  local process line channel call call_name name number read_chars written_chars read_bytes sleeps fields=() IFS=' '
  read_clock
  for process in "${ranks[@]}"; do
    line='' fields=()
    read -r line <"/proc/$process/stat"
    split_fields "${line##*) }"
    if [ "${identity[$process]}" != "${fields[19]} ${line%") ${line##*) }"}" ]; then
      is_gone[$process]=1
      say gone "$process" "$1"
      continue
    fi
    read_line "/proc/$process/wchan"
    channel=$value
    if [ "$channel" = 0 ]; then channel=''; fi
    read_line "/proc/$process/syscall"
    call=${value%% *}
    case $call in running | *[!0-9-]*) call='' ;; esac
    name_call "$call"
    call_name=$value
    case $HOSTTYPE in x86_64) ;; *) case $call in -1) ;; *) call='' ;; esac ;; esac
    read_chars='' written_chars='' read_bytes=''
    while read -r name number; do
      case $name in
        rchar:) read_chars=$number ;;
        wchar:) written_chars=$number ;;
        read_bytes:) read_bytes=$number ;;
      esac
    done <"/proc/$process/io"
    sleeps=''
    while IFS=$': \t' read -r name number; do
      if [ "$name" = voluntary_ctxt_switches ]; then sleeps=$number; fi
    done <"/proc/$process/status"
    say look "$process" "$1" "${fields[0]}" "$channel" "$call" "$call_name" "$read_chars" "$written_chars" "$read_bytes" \
      $((fields[11] + fields[12])) "$sleeps"
    look_at_workers "$process" "$1"
  done
} 2>/dev/null

# Processes of a rank, its own one left out, that wait for a file system.
look_at_workers() {
  local process line fields=()
  for process in ${members[$1]}; do
    if [ "$process" = "$1" ] || ! read -r line <"/proc/$process/stat"; then continue; fi
    split_fields "${line##*) }"
    [ "${fields[0]}" = D ] || continue
    read_line "/proc/$process/wchan"
    say waiting "$1" "$2" "$process" "$value"
  done
}

# ---- Python's stacks ------------------------------------------------------------------------------------------------

stack_seconds=3

# py-spy of this shell's PATH, else of the rank's: the program that it names must be this node's. Sets value.
find_py_spy() {
  local folder IFS=:
  value=$(type -P py-spy) && return 0
  value=''
  [ "/proc/$1/root/usr" -ef /usr ] || return 1
  for folder in ${search_path[$1]}; do
    case $folder in /*) ;; *) continue ;; esac
    if [ -f "$folder/py-spy" ] && [ -x "$folder/py-spy" ]; then
      value=$folder/py-spy
      return 0
    fi
  done
  return 1
} 2>/dev/null

# The file that a rank's own handler writes its stacks to, as /proc/PID/fd/N, where it may be asked by a signal: sets value
# and signal_number. 1: it may not, 2: it has opted in and may not (why is in value).
find_stack_file() {
  local caught='' name text process=$1
  signal_number=${stack_signal[$process]}
  case $signal_number in 10 | 12 | 3[4-9] | [45][0-9] | 6[0-4]) ;; *) return 1 ;; esac
  while read -r name text _; do
    if [ "$name" = SigCgt: ]; then caught=$text; fi
  done <"/proc/$process/status"
  value='RANKWRIGHT_STACKS is set, but nothing in it takes that signal'
  case $caught in '' | *[!0-9a-fA-F]*) return 2 ;; esac
  [ $((16#$caught >> (signal_number - 1) & 1)) = 1 ] || return 2
  name=$(find "/proc/$process/fd" -maxdepth 1 \( -lname '*/rankwright-stacks*' -o -lname '/memfd:rankwright-stacks*' \) \
    -printf '%f\n' -quit)
  value='RANKWRIGHT_STACKS is set, but it has no file rankwright-stacks open'
  case $name in '' | *[!0-9]*) return 2 ;; esac
  value=/proc/$process/fd/$name
  [ -f "$value" ]
} 2>/dev/null

# Asks all ranks at once: those with py-spy by it, others by their signal where they have opted in. LOOK: 1 or 2. Packed texts
# come into `text_of`.
ask_stacks() {
  local process descriptor packed file options=()
  local -A answer_of=() file_of=() size_before=()
  text_of=()
  for process in "${ranks[@]}"; do
    [ "${is_gone[$process]}" ] && continue
    if [ -z "${without_py_spy[$process]}" ] && find_py_spy "$process"; then
      options=()
      if is_stopped "$process"; then options=(--nonblocking); fi # nobody has to hold it for py-spy
      exec {descriptor}< <(timeout --foreground -k 1 $stack_seconds "$value" dump --pid "$process" --json "${options[@]}" 2>&1 </dev/null | pack)
      answer_of[$process]=$descriptor
    elif find_stack_file "$process"; then
      ask_by_signal
    else
      case $?/$1 in
        1/1) say_note "$process" 'there is no py-spy in PATH, and the program has not set RANKWRIGHT_STACKS: no Python stacks' ;;
        2/1) say_note "$process" "$value" ;;
      esac
    fi
  done
  gather_signalled
  for process in "${!answer_of[@]}"; do
    descriptor=${answer_of[$process]} packed=''
    read -r -t $((stack_seconds + 2)) -u "$descriptor" packed
    exec {descriptor}<&-
    text_of[$process]=$packed
  done
  # where py-spy may not read its own user's processes the signal is left
  file_of=()
  for process in "${!answer_of[@]}"; do
    is_stack_text "${text_of[$process]}" && continue
    without_py_spy[$process]=1
    if find_stack_file "$process"; then ask_by_signal; fi
  done
  gather_signalled
}

# Does a packed text hold threads?
is_stack_text() {
  case $(printf '%s' "$1" | base64 -d | gzip -cd | head -c 4096) in *'"thread_id"'* | *'"frames"'*) return 0 ;; esac
  return 1
} 2>/dev/null

is_stopped() {
  local line
  read -r line <"/proc/$1/stat"
  case ${line##*) } in [Tt]*) return 0 ;; *) return 1 ;; esac
} 2>/dev/null

# In ask_stacks(): a process that is stopped could not answer.
ask_by_signal() {
  file=$value
  if is_stopped "$process"; then
    say_note "$process" 'it is stopped, so it cannot print its stacks'
    return
  fi
  size_before[$process]=$(stat -Lc %s "$file") || return
  file_of[$process]=$file
  find_waking_thread "$process"
  kill -"$signal_number" "$value" || unset "file_of[$process]"
} 2>/dev/null

# The kernel gives a signal of a process to the thread that it was sent to, where that can take it. A main thread that waits
# for a file system cannot (FUSE looks as if it could): another one then runs the handler, which prints the stacks of all.
# Sets value to the thread.
find_waking_thread() {
  local line thread channel
  read -r line <"/proc/$1/stat"
  read_line "/proc/$1/wchan"
  channel=$value value=$1
  case ${line##*) }/$channel in D* | */request_wait_answer) ;; *) return ;; esac
  set +f
  for thread in "/proc/$1/task"/*; do
    if [ "${thread##*/}" = "$1" ] || ! read -r line <"$thread/stat"; then continue; fi
    case ${line##*) } in
      [SR]*)
        value=${thread##*/}
        break
        ;;
    esac
  done
  set -f
} 2>/dev/null

# In ask_stacks(): reads what the asked ones wrote, as soon as it grows no more, at most 1.5 s.
gather_signalled() {
  local size waited=0 left
  local -A size_last=()
  [ ${#file_of[@]} -gt 0 ] || return
  while [ $waited -lt 15 ]; do
    left=0
    for process in "${!file_of[@]}"; do
      size=$(stat -Lc %s "${file_of[$process]}")
      if [ "${size:-0}" -le "${size_before[$process]}" ] || [ "$size" != "${size_last[$process]}" ]; then left=1; fi
      size_last[$process]=$size
    done
    [ $left = 1 ] || break
    pause 100
    waited=$((waited + 1))
  done
  for process in "${!file_of[@]}"; do
    size=${size_before[$process]}
    if [ "${size_last[$process]:-0}" -gt "$size" ]; then
      text_of[$process]=$(tail -c +$((size + 1)) "${file_of[$process]}" | pack)
    else
      say_note "$process" 'it did not print its stacks within 1.5 s of its signal'
    fi
  done
} 2>/dev/null

# ---- Flight Recorder ------------------------------------------------------------------------------------------------

# A path of a process's environment, as this shell reaches it.
reach() { case $2 in /*) value=/proc/$1/root$2 ;; *) value=/proc/$1/cwd/$2 ;; esac; }

# The newest record of a rank: sets value to its path and stamp to its time and size; empty: there is none.
find_record() {
  local process=$1 prefix rank=${rank_of[$1]#s} newest=''
  stamp=''
  while IFS= read -r prefix; do
    [ "$prefix" ] || continue
    reach "$process" "$prefix$rank"
    if [ -f "$value" ] && { [ -z "$newest" ] || [ "$value" -nt "$newest" ]; }; then newest=$value; fi
  done <<<"${record_prefixes[$process]}"
  value=$newest
  if [ "$value" ]; then stamp=$(stat -Lc '%y %s' "$value"); fi
} 2>/dev/null

# One byte in the pipe, where somebody reads it: PyTorch then writes its record, and goes on.
poke_pipe() {
  [ "${record_pipe[$1]}" ] && ! is_stopped "$1" || return 1
  reach "$1" "${record_pipe[$1]}${rank_of[$1]#s}.pipe"
  if [ ! -p "$value" ] || [ ! -O "$value" ]; then return 1; fi
  printf 1 | timeout -k 1 1 dd of="$value" oflag=nonblock conv=notrunc,nocreat bs=1 count=1 2>/dev/null
}

# A record of an earlier job may lie there: it counts from the moment on at which the process began.
is_of_this_process() {
  local began boot name number fields=()
  while read -r name number _; do
    if [ "$name" = btime ]; then boot=$number; fi
  done </proc/stat
  split_fields "${identity[$1]}"
  began=$((boot + fields[0] / ticks_per_second))
  [ "$(stat -Lc %Y "$2")" -ge "$began" ]
} 2>/dev/null

# Asks all ranks at once for their records. LOOK: 1 or 2. Packed, they come into `text_of`; of those that cannot be asked what
# a time limit of theirs had written, at the second look.
ask_records() {
  local process waited=0 left stamp packed size
  local -A stamp_before=() stamp_last=() asked=()
  text_of=()
  for process in "${ranks[@]}"; do
    [ "${is_gone[$process]}" ] && continue
    find_record "$process"
    stamp_before[$process]=$stamp
    if poke_pipe "$process"; then
      asked[$process]=1
    elif [ "$1" = 2 ] && [ "$stamp" ]; then
      find_record "$process"
      if is_of_this_process "$process" "$value"; then take_record "$value"; fi
    elif [ "$1" = 1 ] && [ "${record_pipe[$process]}" ] && ! is_stopped "$process" && [ -p "$value" ]; then # else: gloo, older PyTorch
      say_note "$process" 'nobody reads the pipe of its Flight Recorder'
    fi
  done
  while [ ${#asked[@]} -gt 0 ] && [ $waited -lt 12 ]; do
    pause 250
    waited=$((waited + 1)) left=0
    for process in "${!asked[@]}"; do
      find_record "$process"
      if [ -z "$stamp" ] || [ "$stamp" = "${stamp_before[$process]}" ] || [ "$stamp" != "${stamp_last[$process]}" ]; then left=1; fi
      stamp_last[$process]=$stamp
    done
    [ $left = 1 ] || break
  done
  for process in "${!asked[@]}"; do
    find_record "$process"
    if [ "$stamp" ] && [ "$stamp" != "${stamp_before[$process]}" ]; then
      take_record "$value"
    elif [ "$1" = 2 ]; then
      say_note "$process" 'its Flight Recorder was asked and wrote nothing within 3 s'
    fi
  done
} 2>/dev/null

# In ask_records(): a pickle of protocol 2, and nothing else, is read.
take_record() {
  size=$(stat -Lc %s "$1")
  if [ "${size:-0}" -gt $most_text_bytes ]; then
    say_note "$process" "its Flight Recorder's record is too large ($size bytes)"
  elif [ "$(head -c 2 "$1" | od -An -tx1)" = ' 80 02' ]; then
    text_of[$process]=$(pack <"$1")
  fi
}

# ---- RAS ------------------------------------------------------------------------------------------------------------

# As a program of its own, so that a time limit can hold: HOST PORT FORMAT.
# shellcheck disable=SC2016 # for that program to expand
ras_client='
exec 3<>"/dev/tcp/$1/$2" || exit 7
printf "CLIENT PROTOCOL 2\n" >&3
read -r -t 2 line <&3
case $line in "SERVER PROTOCOL "*) ;; *) exit 8 ;; esac
printf "TIMEOUT 3\n" >&3
read -r -t 2 line <&3
if [ "$3" = json ]; then
  printf "SET FORMAT json\n" >&3
  read -r -t 2 line <&3
  [ "$line" = OK ] || exit 9
fi
printf "VERBOSE STATUS\n" >&3
cat <&3
'

# Only a port on which this user listens: on a shared node it may be somebody else's job. Sets ras_host and ras_port.
find_ras() {
  local process address=''
  for process in "${ranks[@]}"; do address=${address:-${ras_address[$process]}}; done
  ras_host=localhost ras_port=28028
  case $address in
    '') ;;
    *:*) ras_host=${address%:*} ras_port=${address##*:} ;;
    *) ras_port=$address ;;
  esac
  case $ras_port in '' | *[!0-9]* | ??????*) return 1 ;; esac
  case $ras_host in '' | *[!A-Za-z0-9._-]*) ras_host=localhost ;; esac
  awk -v port="$(printf '%04X' "$ras_port")" -v user="$UID" \
    '$4 == "0A" && $8 == user && substr($2, length($2) - 4) == ":" port { found = 1 } END { exit !found }' \
    /proc/net/tcp /proc/net/tcp6
} 2>/dev/null

# Prints the answer, packed; nothing: there is none.
ask_ras() {
  local form packed
  for form in json text; do
    packed=$(timeout --foreground -k 1 5 bash -c "$ras_client" rankwright "$ras_host" "$ras_port" $form </dev/null | pack)
    if [ ${#packed} -gt 40 ]; then # more than what an empty text packs to
      echo "$packed"
      return
    fi
  done
} 2>/dev/null

# ---- The two looks --------------------------------------------------------------------------------------------------

# Asks for stacks, records and RAS, and sends them. LOOK: 1 or 2.
ask() {
  local packed='' descriptor=''
  local -A text_of=()
  if [ "$has_ras" ]; then exec {descriptor}< <(ask_ras); fi
  if is_time_left "$1" stacks; then
    ask_stacks "$1"
    send_texts stacks "$1"
  fi
  if is_time_left "$1" records; then
    ask_records "$1"
    send_texts record "$1"
  fi
  [ "$has_ras" ] || return
  read -r -t 6 -u "$descriptor" packed
  exec {descriptor}<&-
  text_of=()
  if [ "$packed" ]; then
    text_of[0]=$packed
    send_texts ras "$1"
  elif [ "$1" = 2 ]; then
    say_note '' "the RAS of the communication library on port $ras_port did not answer"
  fi
}

# Asking takes up to 4 s.
is_time_left() {
  read_clock
  [ $((now_ms - begin_ms)) -lt $((most_seconds * 1000 - 4500)) ] && return 0
  say_note '' "there was no time left to ask for $2 a second time"
  return 1
}

# KIND LOOK: what is in text_of.
send_texts() {
  local process
  for process in "${!text_of[@]}"; do
    [ "${text_of[$process]}" ] || continue
    if [ "$2" = 2 ] && [ "${first_text[$process $1]}" ]; then
      send_second_text "$process" "${1}2" "${text_of[$process]}" "${1}1" "${first_text[$process $1]}"
    else
      send_text "$process" "$1$2" "${text_of[$process]}"
    fi
    first_text[$process $1]=${text_of[$process]}
  done
}

collect() {
  local begin_ms deep='' has_ras='' ras_host ras_port
  exec {silent_pipe}<> <(:)
  read_clock
  begin_ms=$now_ms
  find_ranks
  if is_listed "$deep_nodes"; then
    deep=1
    read_settings
    if is_listed "$ras_nodes" && find_ras; then has_ras=1; fi
    ask 1
  fi
  # what was asked made the ranks write and compute: only then are their counters noted
  look 1
  pause "$gap_ms"
  look 2
  if [ "$deep" ]; then ask 2; fi
  read_clock
  say end $((now_ms - begin_ms)) "${deep:-0}"
}

case $BASH_VERSION in [123].* | 4.0*)
  echo "@rw-hang $node 0 note;;bash $BASH_VERSION on this node is too old;"
  exit 1
  ;;
esac
declare -A is_gone=() without_py_spy=()
ticks_per_second=$(getconf CLK_TCK) page_bytes=$(getconf PAGESIZE)
ticks_per_second=${ticks_per_second:-100} page_bytes=${page_bytes:-4096}

# The work is a process group of its own. Beside it somebody waits for the end of our input, or of the time, and ends it.
set -m
collect </dev/null 2>/dev/null &
worker=$!
set +m
{
  exec 2>/dev/null
  seconds_left=$most_seconds
  while [ "$seconds_left" -gt 0 ]; do
    SECONDS=0
    read -r -t "$seconds_left" _ || break
    seconds_left=$((seconds_left - SECONDS))
  done
  kill -KILL -- -$worker
} <&0 &
guard=$!
exec 2>/dev/null
wait $worker
kill $guard
exit 0
