// What WhatsApp writes where a picture, a recording or a file was left out of an export, in the language of the phone. Nobody said these words.

/** As they stand there without their marks, in small letters, by what was left out; apart by `|` and the ends of lines. */
const leftOut: Readonly<Record<string, string>> = {
  media: `media omitted|medien ausgeschlossen|medien weggelassen|multimedia omitido|archivo omitido|médias omis|fichier omis
    media omessi|file omesso|mídia oculta|arquivo de mídia oculto|ficheiro não revelado|media weggelaten|pominięto multimedia
    medya dahil edilmedi|без медиафайлов|без медіафайлів|media tidak disertakan|media har utelämnats|mediefil udeladt
    medier udeladt|mediefil utelatt|media jätettiin pois|média vynechána|médiá vynechané|hiányzó médiafájl|fișier media omis
    εξαίρεση πολυμέσων|تم استبعاد الوسائط|המדיה לא נכללה|मीडिया के बिना|メディアなし|メディアは含まれていません|미디어 파일을 제외한 내보내기|미디어 파일 생략됨|省略多媒体文件
    媒体已略去|媒體已略去`,
  image: `image omitted|bild weggelassen|imagen omitida|image absente|image omise|immagine omessa|imagem ocultada|imagem omitida
    afbeelding weggelaten|obraz pominięty|görüntü dahil edilmedi|изображение отсутствует|изображение опущено|bild utelämnad
    billede udeladt|bilde utelatt|kuva jätetty pois|画像は含まれていません|图像已忽略|圖片已略去`,
  video: `video omitted|video weggelassen|video omitido|vídeo omitido|vidéo absente|vidéo omise|video omesso|video weggelaten
    film pominięty|video dahil edilmedi|видео отсутствует|видео опущено|video utelämnad|video udeladt|video utelatt|動画は含まれていません
    视频已忽略`,
  audio: `audio omitted|audio weggelassen|audio omitido|áudio ocultado|audio omis|audio omesso|audio weggelaten|plik audio pominięty
    ses dahil edilmedi|аудиофайл отсутствует|ljud utelämnat|lyd udeladt|音声は含まれていません|音频已忽略`,
  gif: 'gif omitted|gif weggelassen|gif omitido|gif retiré|gif esclusa|gif weggelaten|gif udeladt',
  sticker: `sticker omitted|sticker weggelassen|sticker omitido|sticker omis|sticker omesso|sticker non incluso|figurinha omitida
    sticker weggelaten|стикер отсутствует`,
  document: `document omitted|dokument weggelassen|documento omitido|document manquant|document omis|documento omesso|document weggelaten
    документ отсутствует`,
  contact: `contact card omitted|kontaktkarte ausgelassen|kontakt weggelassen|tarjeta de contacto omitida|fiche contact omise
    scheda contatto omessa|cartão de contato omitido|contactkaart weggelaten`,
};

const kinds = new Map(
  Object.entries(leftOut).flatMap(([kind, texts]) =>
    texts
      .replaceAll('\n', '|')
      .split('|')
      .map((text) => [text.trim(), kind] as const),
  ),
);

/** Before the name of a file that came with the export: `<attached: 1.jpg>`. */
const attached = new Set(['attached', 'anhang', 'adjunto', 'pièce jointe', 'allegato', 'anexado', 'bijlage']);

/** What a line stands for, if nobody said it. Marks: invisible ones, and angle brackets. */
function mediaOf(line: string, isAlone: boolean): string | undefined {
  const bare = line.replaceAll('\u200e', '').replaceAll('\u200f', '').trim();
  const isBracketed = bare.startsWith('<') && bare.endsWith('>');
  if (!isAlone && !isBracketed && !line.includes('\u200e')) return undefined;
  const text = isBracketed ? bare.slice(1, -1).trim() : bare;
  const colon = text.indexOf(':');
  if (isBracketed && attached.has(text.slice(0, Math.max(0, colon)).toLowerCase())) return text.slice(colon + 1).trim();
  return kinds.get(text.toLowerCase());
}

/** The words of a message, and what came with it. */
export function withoutMedia(message: string): { readonly text: string; readonly attachments: readonly string[] } {
  const lines = message.split('\n');
  const attachments: string[] = [];
  const said = lines.filter((line) => {
    const media = mediaOf(line, lines.length === 1);
    if (media !== undefined) attachments.push(media);
    return media === undefined;
  });
  return attachments.length === 0 ? { text: message, attachments } : { text: said.join('\n').trim(), attachments };
}
