// Saves what is filled in as it is made: a tick at once, a draft after a pause. The page is whole without it, and what
// it shows after saving is what the service draws.
'use strict'

const form = document.getElementById('form')
const PAUSE = 1500
const live = document.createElement('p')
live.className = 'saved'
live.setAttribute('role', 'status')
const buttons = form.querySelector('.buttons')

let timer = 0
let running = null
let waiting = ''
let over = false

const boxes = () => form.querySelectorAll('input[name="ticks"]')

// The same words again are not said again: whoever listens to the page would hear them after every pause.
function say(text) {
  if (live.textContent !== text) live.textContent = text
}

// Sending the form as the page itself does shows what stands now, with everything that was filled in here.
function offer(act) {
  const button = document.createElement('button')
  button.name = 'do'
  button.value = act
  button.className = 'plain'
  button.textContent = 'Show how it stands'
  live.append(' ', button)
}

function filled(act) {
  const fields = new FormData(form)
  fields.set('do', act)
  return fields
}

async function save(act) {
  if (act === 'ticks') say('Saving…')
  const drawn = new Map([...boxes()].map(box => [box.id, box.checked]))
  const response = await fetch(form.action, { method: 'POST', body: filled(act), signal: running.signal })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const told = page.querySelector(response.ok ? '.notice.good' : '[role="alert"]')
  if (!response.ok) {
    say(`Not saved. ${told ? told.textContent.trim() : ''}`)
    if (response.status === 409 || !page.getElementById('form')) offer(act)
  } else {
    if (act === 'ticks') take(page, drawn)
    say(act === 'ticks' && told ? told.textContent.trim() : 'Draft saved.')
  }
}

// What others ticked meanwhile is taken over; what was changed here since the form was sent is kept and sent next.
function take(page, drawn) {
  for (const box of boxes()) {
    const fresh = page.getElementById(box.id)
    if (!fresh) continue
    if (box.checked === drawn.get(box.id)) box.checked = fresh.checked
    swap(box, `${box.id}-note`, page)
    const told = fresh.getAttribute('aria-describedby')
    if (told) box.setAttribute('aria-describedby', told)
  }
  form.querySelectorAll('input[name="had"]').forEach(one => one.remove())
  form.prepend(...[...page.querySelectorAll('#form input[name="had"]')].map(one => document.importNode(one)))
  for (const part of ['.progress', '[aria-labelledby="history"]', '[aria-labelledby="heard"]']) {
    const [old, fresh] = [document, page].map(one => one.querySelector(part))
    if (old && fresh) old.replaceWith(document.importNode(fresh, true))
  }
}

function swap(box, id, page) {
  const fresh = page.getElementById(id)
  document.getElementById(id)?.remove()
  if (fresh) box.parentElement.append(document.importNode(fresh, true))
}

// One request at a time: ticks go first, and whatever came up meanwhile goes next.
async function queue(act) {
  waiting = waiting === 'ticks' ? waiting : act
  if (running || over) return
  while (waiting && !over) {
    const next = waiting
    waiting = ''
    running = new AbortController()
    try {
      await save(next)
    } catch (error) {
      if (error.name !== 'AbortError') say('Not saved: the service did not answer. It is tried again with the next change.')
    }
    running = null
  }
}

// A task takes along what it is a part of; without it, its own parts go too.
function follow(box) {
  const rows = [...form.querySelectorAll('input[name="tasks"]')]
  let depth = Number(box.dataset.depth)
  const at = rows.indexOf(box)
  if (!box.checked) {
    for (const row of rows.slice(at + 1)) {
      if (Number(row.dataset.depth) <= depth) return
      row.checked = false
    }
    return
  }
  for (const row of rows.slice(0, at).reverse()) {
    if (Number(row.dataset.depth) >= depth) continue
    depth = Number(row.dataset.depth)
    row.checked = true
  }
}

function changed(event) {
  const box = event.target
  if (box.name === 'tasks' && event.type === 'change') follow(box)
  if (box.name === 'ticks') {
    if (event.type === 'change') queue('ticks')
    return
  }
  clearTimeout(timer)
  timer = setTimeout(queue, PAUSE, 'draft')
}

// Another form of the page leaves behind what is filled in here, so that is saved before it is sent.
function wait(event) {
  if (!timer) return
  event.preventDefault()
  clearTimeout(timer)
  timer = 0
  const send = () => event.target.requestSubmit(event.submitter)
  fetch(form.action, { method: 'POST', body: filled('draft') }).then(send, send)
}

for (const other of document.querySelectorAll('form.pausing')) other.addEventListener('submit', wait)

if (buttons) {
  buttons.append(live)
  form.addEventListener('input', changed)
  form.addEventListener('change', changed)
  form.addEventListener('submit', () => {
    over = true
    clearTimeout(timer)
    if (running) running.abort()
  })
  addEventListener('pageshow', () => { over = false })
}
