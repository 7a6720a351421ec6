/**
 * Common words of requests in other languages. Tools describe themselves in English, and so does the
 * model that compares meanings: a few translated verbs and nouns say most of what is wanted. What is not
 * listed stays as it is; names must.
 */

/** Words that show the language, and say nothing else. */
const MARKS: Readonly<Record<string, string>> = {
  german:
    'der die das den dem des ein eine einen einer mir mich dir dich ist sind und mit für von vom bei dass im zum zur wie was wo welche welcher welches nicht ich du wir bitte alle auf aus alles über',
  french:
    'le la les l du des de d un une mon ma mes est sont et avec pour dans que qui où quels quelles quel quelle moi je tu nous vous sur ce cette ces tous toutes il y a au aux qu s en',
  spanish:
    'el la los las del de un una mi mis está son hay y con para en que qué dónde cuál cuáles me yo por favor este esta todos todas al se lo',
  italian:
    'il lo la i gli le del della dei un una mio mia è sono e con per in che cosa dove quali mi io di nel nella tutti tutte questo questa',
  portuguese:
    'o a os as do da dos das um uma meu minha é são e com para em que onde quais me eu por favor este esta todos todas no na de',
};

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  german: {
    read: 'lies lese lesen liest öffne öffnen',
    show: 'zeig zeige zeigen',
    list: 'liste auflisten aufzählen',
    search: 'such suche suchen',
    find: 'find finde finden',
    write: 'schreib schreibe schreiben',
    save: 'speichere speichern sichere sichern',
    create: 'erstelle erstellen erzeuge anlegen leg',
    delete: 'lösch lösche löschen entferne entfernen',
    change: 'ändere ändern bearbeite bearbeiten ersetze ersetzen',
    move: 'verschieb verschiebe verschieben',
    rename: 'umbenennen benenne',
    send: 'schick schicke schicken sende senden',
    remember: 'merk merke merken erinnere erinner',
    know: 'weißt weiß',
    work: 'arbeitet arbeite arbeiten',
    content: 'inhalt inhalte',
    file: 'datei dateien',
    folder: 'ordner verzeichnis verzeichnisse',
    image: 'bild bilder foto fotos',
    size: 'größe',
    customer: 'kunde kunden kundin',
    company: 'firma unternehmen',
    mail: 'mail mails nachricht nachrichten',
    invoice: 'rechnung rechnungen',
    report: 'bericht berichte',
    meeting: 'termin termine besprechung',
    add: 'füge hinzufügen addiere',
    number: 'zahl zahlen nummer',
    phone: 'telefonnummer telefon',
    'how many': 'wieviele',
    weather: 'wetter',
    book: 'buche buchen reserviere',
    translate: 'übersetze übersetzen',
  },
  french: {
    read: 'lis lire lisez ouvre ouvrir',
    show: 'montre montrer affiche afficher montrez',
    list: 'liste lister',
    search: 'cherche chercher recherche rechercher',
    find: 'trouve trouver',
    write: 'écris écrire',
    save: 'enregistre enregistrer sauvegarde',
    create: 'crée créer',
    delete: 'supprime supprimer efface effacer',
    change: 'modifie modifier change changer remplace remplacer',
    move: 'déplace déplacer',
    rename: 'renomme renommer',
    send: 'envoie envoyer',
    remember: 'souviens souvenir retiens rappelle',
    know: 'sais savez',
    work: 'travaille',
    content: 'contenu',
    file: 'fichier fichiers',
    folder: 'dossier dossiers répertoire',
    image: 'image images photo photos',
    size: 'taille',
    customer: 'client clients cliente',
    company: 'entreprise société',
    mail: 'courriel mail message messages',
    invoice: 'facture factures',
    report: 'rapport rapports',
    meeting: 'réunion rendez-vous',
    add: 'ajoute ajouter',
    number: 'nombre numéro',
    phone: 'téléphone',
    weather: 'météo',
    book: 'réserve réserver',
    translate: 'traduis traduire',
  },
  spanish: {
    read: 'lee leer abre abrir',
    show: 'muestra mostrar muéstrame enséñame',
    list: 'lista listar enumera',
    search: 'busca buscar',
    find: 'encuentra encontrar',
    write: 'escribe escribir',
    save: 'guarda guardar',
    create: 'crea crear',
    delete: 'borra borrar elimina eliminar',
    change: 'cambia cambiar modifica modificar edita reemplaza',
    move: 'mueve mover',
    rename: 'renombra renombrar',
    send: 'envía enviar manda mandar',
    remember: 'recuerda recordar',
    know: 'sabes',
    work: 'trabaja',
    content: 'contenido',
    file: 'archivo archivos fichero ficheros',
    folder: 'carpeta carpetas directorio',
    image: 'imagen imágenes foto fotos',
    size: 'tamaño',
    customer: 'cliente clientes',
    company: 'empresa',
    mail: 'correo correos mensaje mensajes',
    invoice: 'factura facturas',
    report: 'informe informes',
    meeting: 'reunión cita',
    add: 'añade añadir agrega suma',
    number: 'número',
    phone: 'teléfono',
    weather: 'tiempo clima',
    book: 'reserva reservar',
    translate: 'traduce traducir',
  },
  italian: {
    read: 'leggi leggere apri',
    show: 'mostra mostrami',
    list: 'elenca',
    search: 'cerca cercare',
    find: 'trova trovare',
    write: 'scrivi scrivere',
    save: 'salva salvare',
    create: 'crea creare',
    delete: 'elimina eliminare cancella cancellare',
    change: 'modifica modificare sostituisci',
    move: 'sposta',
    rename: 'rinomina',
    send: 'invia inviare manda',
    remember: 'ricorda ricordati',
    work: 'lavora',
    content: 'contenuto',
    file: 'file',
    folder: 'cartella cartelle',
    image: 'immagine immagini foto',
    size: 'dimensione',
    customer: 'cliente clienti',
    company: 'azienda',
    invoice: 'fattura fatture',
  },
  portuguese: {
    read: 'leia ler abra abrir',
    show: 'mostre mostra mostrar',
    list: 'liste listar',
    search: 'procure procurar pesquise buscar',
    find: 'encontre encontrar ache',
    write: 'escreva escrever',
    save: 'salve salvar guarde',
    create: 'crie criar',
    delete: 'apague apagar exclua excluir',
    change: 'altere alterar mude editar substitua',
    move: 'mova mover',
    rename: 'renomeie renomear',
    send: 'envie enviar mande',
    remember: 'lembre lembrar',
    work: 'trabalha',
    content: 'conteúdo',
    file: 'arquivo arquivos ficheiro ficheiros',
    folder: 'pasta pastas',
    image: 'imagem imagens foto fotos',
    size: 'tamanho',
    customer: 'cliente clientes',
    company: 'empresa',
    invoice: 'fatura faturas',
  },
};

/** Of English requests; a text with more of these is English, whatever names it has. */
const ENGLISH = new Set(
  'the a an of to in for is are and with that this my me it on at from by what which how where all please i you'.split(
    ' ',
  ),
);

interface Language {
  readonly marks: ReadonlySet<string>;
  readonly words: ReadonlyMap<string, string>;
}

const LANGUAGES: readonly Language[] = Object.entries(WORDS).map(([name, words]) => ({
  marks: new Set(MARKS[name]?.split(' ')),
  words: new Map(
    Object.entries(words).flatMap(([english, all]) =>
      all.split(' ').map((word) => [word, english] as const),
    ),
  ),
}));

const WORD = /[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}]+)?/gu;
const LEAST_MARKS = 2;

/** A request in English words as far as they are known; an English request as it is. */
export function inEnglish(request: string): string {
  const words = [...new Set(request.toLowerCase().match(WORD))];
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const [best] = LANGUAGES.map((language) => {
    const marks = words.filter((word) => language.marks.has(word)).length;
    const known = words.filter((word) => language.words.has(word)).length;
    return { language, marks, known, fit: marks + known };
  }).toSorted((one, other) => other.fit - one.fit);
  const isOther = best && best.marks >= LEAST_MARKS && best.known > 0 && best.fit > english;
  if (!isOther) return request;
  const { marks, words: translated } = best.language;
  const plain = request.replaceAll(WORD, (word) => {
    const low = word.toLowerCase();
    return translated.get(low) ?? (marks.has(low) ? '' : word);
  });
  return plain.replaceAll(/\s+/g, ' ').trim();
}
