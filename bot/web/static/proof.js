// Hands on what Telegram says of whoever opened the page. It stands behind the `#` of the address, which browsers do not
// send; from there it goes into a form of ours, and out of the address and its history.
'use strict'

const form = document.getElementById('proof')
const told = document.getElementById('told')
const given = (new URLSearchParams(location.hash.slice(1)).get(form.dataset.from) || '').replaceAll(' ', '+')
history.replaceState(null, '', location.pathname + location.search)

// Inside Telegram's own window, which no link from elsewhere leads into.
const inside = 'TelegramWebviewProxy' in window || Boolean(window.external && 'notify' in window.external)

function nameIn(text) {
  try {
    const user = JSON.parse(new URLSearchParams(text).get('user'))
    return [user.first_name, user.last_name].filter(part => typeof part === 'string' && part).join(' ')
  } catch {
    return ''
  }
}

if (window.top !== window) {
  told.textContent = 'Telegram shows this inside another page, where nothing is decided.'
} else if (!given || given === 'false') {
  told.textContent = form.dataset.bound
    ? 'Telegram did not say who you are, so nobody was signed in.'
    : 'Telegram did not say who you are. Open this page once more from your chat with the bot, or in a browser.'
} else {
  form.elements.proof.value = given
  if (form.dataset.bound || inside) {
    told.textContent = 'One moment…'
    form.submit()
  } else {
    // A link from anybody may have led here with a proof of theirs: whoever it is must see as whom they would go on.
    told.textContent = 'This link would sign you in here as somebody. Go on only if that is you.'
    const go = document.getElementById('go')
    go.querySelector('button').textContent = `Go on as ${nameIn(given) || 'a Telegram account without a name'}`
    go.hidden = false
  }
}
